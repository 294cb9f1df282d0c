import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { AuditAction, AuditEvent, CampusOptions } from '../../../lib/index.ts';
import { type MetadataDocumentsOptions, metadataDocuments } from '../../../policies/index.ts';
import { resetClock } from '../../helpers/clock.ts';
import type { TestClient } from '../../helpers/flow.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { certificate, type DocumentServer, startDocumentServer } from '../../outbound/document-server.ts';

/** The URL of the document that the server publishes. */
export const clientId = 'https://docs.example/client.json';

/** A plain document. */
export const ordinary = {
  client_id: clientId,
  client_name: 'Doc Client',
  redirect_uris: ['https://docs.example/callback', 'http://localhost/callback'],
};

/** Its client. */
export const client: TestClient = {
  id: clientId,
  redirectUri: 'http://localhost:49300/callback',
  scope: 'openid profile courses:read',
};

interface DocumentSchools {
  readonly server: () => DocumentServer;
  /** The schools that the test has started. */
  readonly schools: () => Schools;
  readonly events: readonly AuditEvent[];
  /**
   * Starts schools that accept documents of `docs.example` from the server. Olivia is an operator of both, Oscar of Harbour
   * School.
   */
  readonly start: (policy?: MetadataDocumentsOptions, more?: Partial<CampusOptions>) => Promise<void>;
  /** Publishes the ordinary document with changes, at every URL. It is fresh for 30 seconds. */
  readonly publish: (changes?: object) => void;
  /** From now on the server responds with this status. */
  readonly fail: (status: number) => void;
  /** Resolves at the next audit event with this action. */
  readonly nextEvent: (action: AuditAction) => Promise<void>;
}

/** Starts the server before the tests of the file, and closes the schools after each. */
export function documentSchools(): DocumentSchools {
  let server: DocumentServer;
  let schools: Schools | undefined;
  const events: AuditEvent[] = [];
  beforeAll(async () => {
    server = await startDocumentServer();
  });
  afterAll(() => server.close());
  afterEach(async () => {
    resetClock();
    await schools?.close();
  });
  const running = (): Schools => {
    if (schools === undefined) throw new Error('the test has started no schools');
    return schools;
  };
  return {
    server: () => server,
    schools: running,
    events,
    async start(policy = { hosts: ['docs.example'] }, more = {}) {
      const testing = {
        resolve: async () => [{ address: '127.0.0.1', family: 4 }],
        ca: certificate,
        allowPrivateAddresses: true,
        port: server.port,
      };
      schools = await startSchools({ campus: { metadataDocuments: metadataDocuments(policy), testing, ...more } });
      const olivia = schools.people['harbour']?.['olivia'];
      if (olivia) {
        schools.people['summit'] = { ...schools.people['summit'], olivia };
        schools.people['harbour'] = { ...schools.people['harbour'], oscar: { ...olivia, id: 'oscar' } };
      }
      events.splice(0);
      schools.campus.events.on('audit', (event) => events.push(event));
    },
    publish(changes = {}) {
      server.respond((_request, response) => {
        const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
        response.writeHead(200, headers).end(JSON.stringify({ ...ordinary, ...changes }));
      });
    },
    fail(status) {
      server.respond((_request, response) => response.writeHead(status).end());
    },
    nextEvent(action) {
      return new Promise((resolve) => {
        running().campus.events.on('audit', (event) => event.action === action && resolve());
      });
    },
  };
}
