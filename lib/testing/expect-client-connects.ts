import { featuresInTests } from '../features/features.ts';
import { type Campus, partsOf } from '../public/campus.ts';
import type { Client } from '../simulated-clients/client.ts';
import { waysAt } from '../simulated-clients/known-clients.ts';
import { play, type Transcript } from '../simulated-clients/play.ts';
import { type KnownClient, knownClients, type ReplayClient } from '../simulated-clients/simulated-client.ts';
import { Stopped } from '../simulated-clients/wire.ts';
import { paths } from '../http/paths.ts';
import { adviceOn } from './connection-advice.ts';
import { PlainPlatform } from './fake-platform.ts';
import { type SignedIn, type SignedInCampus, signedInCampus, type SchoolOrOrigin } from './signed-in-campus.ts';
import { walkConsent, WalkStopped } from './walk-consent.ts';

/** Options of a replayed connection: the person, the school and a tool. */
export interface ClientConnection {
  /** The school, or its origin. @default the first school of a `fakePlatform` */
  readonly site?: SchoolOrOrigin | undefined;
  /**
   * The person who signs in, allows everything, and approves a document if needed. @default with a `fakePlatform`, the first person at that
   * school who may connect and decide, otherwise the first operator
   */
  readonly memberId?: string | undefined;
  /** The path of the address that the person types. @default '/mcp/operator' */
  readonly path?: string | undefined;
  /** A tool to call, before and after a refresh. @default none: the tools are only listed */
  readonly tool?: { readonly name: string; readonly arguments?: Readonly<Record<string, unknown>> } | undefined;
  /**
   * The application that an administrator created for an app that cannot register. Its secret is not needed.
   * @default what the app does on its own
   */
  readonly clientId?: string | undefined;
}

/**
 * Replays the requests of a known app when a person connects it to `campus`: discovery from the typed address, registration or metadata
 * document, sign-in, consent, code exchange, the list of tools and a refresh. Apps that connect in several ways use each way that they
 * would choose here. It works without a server or network: requests are answered in this process, as with `issueTokens`, and the metadata
 * documents are recorded.
 *
 * @throws TypeError for an unknown name or a wrong option
 * @throws Error with the step at which the app gave up, the last response, and the change to make
 */
export async function expectClientConnects(
  campus: Campus,
  name: KnownClient,
  connection: ClientConnection = {},
): Promise<void> {
  if (!knownClients.includes(name)) {
    throw new TypeError(`name must be one of ${knownClients.join(', ')}, not ${JSON.stringify(name)}`);
  }
  const at = await signedInCampus(campus, personOf(campus, connection));
  if (!at.settings.mcp) {
    throw new Error(
      `${name} cannot connect: there are no tools; pass mcp({ tools }) of campus-oidc/mcp to createCampus`,
    );
  }
  const { clientId: id } = connection;
  const client = id === undefined ? undefined : { id, secret: (await at.client(id)).secret };
  const documents = featuresInTests.some(({ takesDocuments }) => takesDocuments(at.settings));
  const ways = waysAt({ documents, registers: true });
  for (const app of ways.filter(({ product }) => product === name)) {
    const transcript = await replay(app, at, connection, client);
    if (transcript.reason !== undefined) throw new Error(failure(app, at, transcript, transcript.reason));
  }
}

/** Whether one of a person's roles is in the set. */
const has = (set?: ReadonlySet<string>) => (roles: readonly string[]) => roles.some((role) => set?.has(role));

function personOf(campus: Campus, { site, memberId }: ClientConnection): SignedIn {
  const { platform, operatorRoles, adminRoles } = partsOf(campus)?.settings ?? {};
  const fake = platform instanceof PlainPlatform ? platform : undefined;
  const where = site ?? fake?.schools[0];
  if (where === undefined) throw new TypeError('site must be given, unless the platform is a fakePlatform');
  const origin = typeof where === 'string' ? where : where.origin;
  const who =
    memberId ??
    fake?.memberWithRole(origin, (roles) => has(operatorRoles)(roles) && has(adminRoles)(roles)) ??
    fake?.memberWithRole(origin, has(operatorRoles));
  if (who !== undefined) return { site: where, memberId: who };
  throw new TypeError(
    fake
      ? `memberId must be given, because no person of the fakePlatform is an operator at ${origin}`
      : 'memberId must be given, unless the platform is a fakePlatform',
  );
}

async function replay(
  app: ReplayClient,
  at: SignedInCampus,
  { path = paths.mcpOperator, tool }: ClientConnection,
  client: Client | undefined,
): Promise<Transcript> {
  if (app.document !== undefined) await at.storeDocument(app.document);
  return play(app, {
    address: `${at.site.origin}${path}`,
    fetch: at.fetch,
    tool,
    client,
    approve: (url) =>
      walkConsent({ authorizeUrl: url, decision: 'approve', scopes: 'all', fetch: at.fetch }).catch(
        (error: unknown) => {
          throw error instanceof WalkStopped ? new Stopped(error.message) : error;
        },
      ),
  });
}

const shownLength = 500;

function failure(
  app: ReplayClient,
  { site, member }: SignedInCampus,
  { installation, connected, refreshed }: Transcript,
  reason: string,
): string {
  const last = installation.steps.at(-1);
  const phase = refreshed ? 'after a refresh' : connected ? 'after it had connected' : 'before it had connected';
  const lines = [
    `${app.product} (${app.name}) does not connect for ${member.id} at ${site.id}. It stopped ${phase}: ${reason}`,
  ];
  if (last) {
    const { request, method, url, sent, status, received } = last;
    lines.push(`Its last request: ${request}, ${method} ${url} ${JSON.stringify(sent)}`.slice(0, shownLength));
    lines.push(`The response: ${status} ${JSON.stringify(received)}`.slice(0, shownLength));
  }
  lines.push(`What to do: ${adviceOn(app, { reason, lastRequest: last?.request, connected })}`);
  return lines.join('\n');
}
