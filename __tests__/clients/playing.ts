import { afterAll, beforeAll } from '@jest/globals';
import { clientPrograms } from '../../lib/simulated-clients/client-programs.ts';
import { play, type PlayOptions, type Transcript } from '../../lib/simulated-clients/play.ts';
import type { ClientProgram } from '../../lib/simulated-clients/program.ts';
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

/** Schools of one test file, and programs that meet them. */
interface Playing {
  readonly schools: () => Schools;
  /** Plays a program, by its name or its row, for operator Olivia at `/mcp/operator`. */
  readonly run: (program: string | ClientProgram, options?: Partial<PlayOptions>) => Promise<Transcript>;
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
    run: (program, options = {}) =>
      play(typeof program === 'string' ? named(program) : program, {
        address: `${running().schools.harbour}/mcp/operator`,
        approve: allowing(running().schools.browser('olivia')),
        tool: createCourse,
        ...options,
      }),
  };
}

/** The program of this name. */
export function named(name: string): ClientProgram {
  const program = clientPrograms.find((each) => each.name === name);
  if (!program) throw new Error(`no program is called ${name}`);
  return program;
}
