import { decodeJwt } from 'jose';
import type { AuditEvent, CampusOptions, StaticClient } from '../../../lib/index.ts';
import type { Browser } from '../../helpers/browser.ts';
import { testClients } from '../../helpers/clients.ts';
import type { TestClient } from '../../helpers/flow.ts';
import { type Schools, startSchools, type SchoolsOptions } from '../../helpers/schools.ts';
import { certificate, type DocumentServer, startDocumentServer } from '../../outbound/document-server.ts';

/** Applications that take part in logout: one with a secret, one without logout tokens, and one that is another school's. */
export const library: TestClient = {
  id: 'library',
  redirectUri: 'https://apps.example/callback',
  secret: 'library-secret',
  scope: 'openid profile email',
};
export const lab: TestClient = {
  ...library,
  id: 'lab',
  redirectUri: 'https://docs.example/callback',
  secret: 'lab-secret',
};

const shared = { audience: 'member', scopes: ['openid', 'profile', 'email'] } as const;

const clients: readonly StaticClient[] = [
  ...testClients,
  {
    ...shared,
    clientId: library.id,
    clientName: 'Library',
    redirectUris: [library.redirectUri],
    clientSecret: library.secret,
    postLogoutRedirectUris: ['https://apps.example/bye', 'http://127.0.0.1:8080/bye?from=/my%20school'],
    backchannelLogoutUri: 'https://apps.example/logout',
  },
  {
    ...shared,
    clientId: lab.id,
    clientName: 'Lab',
    redirectUris: [lab.redirectUri],
    clientSecret: lab.secret,
    backchannelLogoutUri: 'https://docs.example/logout',
  },
];

/** A logout token that came in. */
export interface Received {
  readonly address: string;
  readonly form: URLSearchParams;
  readonly claims: Readonly<Record<string, unknown>>;
}

export interface LogoutSchools extends Schools {
  readonly server: DocumentServer;
  readonly received: readonly Received[];
  readonly events: readonly AuditEvent[];
  /** For whom the platform was asked to end the session. */
  readonly ended: readonly string[];
  /** What the applications answer from now on. */
  answer(status: number): void;
  /** Resolves when nothing is left to deliver; then nothing is delivered any more. */
  delivered(): Promise<void>;
}

/** The session of the platform in which a browser of `schools` is. */
export function inSession(browser: Browser, sessionId: string): Browser {
  browser.platformCookie('session_id', sessionId);
  return browser;
}

/** Two schools with the option `logout`, and the applications at `apps.example` and `docs.example`. */
export async function startLogoutSchools(
  changes: Partial<CampusOptions> = {},
  platform: SchoolsOptions['platform'] = {},
): Promise<LogoutSchools> {
  const server = await startDocumentServer();
  const received: Received[] = [];
  let status = 200;
  server.respond((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      const address = `${request.headers.host}${request.url}`;
      received.push({ address, form, claims: decodeJwt(form.get('logout_token') ?? '') });
      response.writeHead(status).end();
    });
  });
  const ended: string[] = [];
  const schools = await startSchools({
    platform,
    wrapPlatform: (plain) => ({
      ...plain,
      async signedInMember(ctx, site) {
        const session = await plain.signedInMember(ctx, site);
        const sessionId = ctx.cookies.get('session_id', { signed: false });
        return session && { ...session, ...(sessionId !== undefined && { sessionId }) };
      },
    }),
    campus: {
      clients,
      logout: { endSession: (_ctx, _site, { memberId }) => void ended.push(memberId) },
      testing: {
        resolve: async () => [{ address: '127.0.0.1', family: 4 }],
        ca: certificate,
        allowPrivateAddresses: true,
        port: server.port,
      },
      ...changes,
    },
  });
  const events: AuditEvent[] = [];
  schools.campus.events.on('audit', (event) => events.push(event));
  return {
    ...schools,
    server,
    received,
    events,
    ended,
    answer(next) {
      status = next;
    },
    delivered: () => schools.campus.close(),
    async close() {
      await schools.close();
      await server.close();
    },
  };
}
