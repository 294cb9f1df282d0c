import { afterAll, beforeAll } from '@jest/globals';
import { simulatedClients } from '../../lib/simulated-clients/known-clients.ts';
import { play, type PlayOptions, type Transcript } from '../../lib/simulated-clients/play.ts';
import type { SimulatedClient } from '../../lib/simulated-clients/simulated-client.ts';
import type { Schools } from '../helpers/schools.ts';
import type { DocumentServer } from '../outbound/document-server.ts';
import { allowing } from './people.ts';
import { type RecommendedChanges, startRecommended } from './recommended.ts';
import { serveDocuments } from './document-hosts.ts';
import { type RecordedDocument, recordedDocuments } from '../../lib/features/metadata-documents/recorded-documents.ts';
import { createCourse } from './school-tools.ts';

/** How the schools of a test file differ from the recommended ones. */
interface PlayingOptions extends RecommendedChanges {
  readonly published?: readonly RecordedDocument[];
}

/** Schools of one test file, and apps that meet them. */
interface Playing {
  readonly schools: () => Schools;
  /** Plays an app, by its name or its row, for operator Olivia at `/mcp/operator`. */
  readonly run: (app: string | SimulatedClient, options?: Partial<PlayOptions>) => Promise<Transcript>;
}

/** Starts schools with the recommended configuration before the tests of a file, and closes them after. */
export function startPlaying({ published = recordedDocuments, ...changes }: PlayingOptions = {}): Playing {
  let started: { readonly documents: DocumentServer; readonly schools: Schools } | undefined;
  const running = () => {
    if (!started) throw new Error('the schools have not started');
    return started;
  };
  beforeAll(async () => {
    const documents = await serveDocuments(published);
    started = { documents, schools: await startRecommended(documents, changes) };
  });
  afterAll(async () => {
    await started?.schools.close();
    await started?.documents.close();
  });
  return {
    schools: () => running().schools,
    run: (app, options = {}) =>
      play(typeof app === 'string' ? named(app) : app, {
        address: `${running().schools.harbour}/mcp/operator`,
        approve: allowing(running().schools.browser('olivia')),
        tool: createCourse,
        ...options,
      }),
  };
}

/** The app of this name. */
export function named(name: string): SimulatedClient {
  const app = simulatedClients.find((each) => each.name === name);
  if (!app) throw new Error(`no app is called ${name}`);
  return app;
}
