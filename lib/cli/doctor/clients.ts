import { refusal, takesDocuments } from '../../simulated-clients/client.ts';
import { waysAt } from '../../simulated-clients/known-clients.ts';
import { play } from '../../simulated-clients/play.ts';
import type { ReplayClient } from '../../simulated-clients/simulated-client.ts';
import { Stopped } from '../../simulated-clients/wire.ts';
import { servedCopyHeader } from '../../core/clients/client-source.ts';
import { parseObject, textOf } from '../../kernel/json.ts';
import { paths } from '../../http/paths.ts';
import { adviceOn } from './advice.ts';
import { errorProblem } from './endpoints.ts';
import { type Check, type Exam, verdictOn } from './exam.ts';
import { longStateCheck } from './long-requests.ts';
import { type Answer, boundedFetch } from './probe.ts';
import { isDivided, processChecks } from './processes.ts';

const registrationFix = 'let POST requests with JSON pass, through the proxy and every middleware of the application';
const policyFix =
  'find the registration policy that refuses it with campus.explainRegistration; to let apps on this machine register, add loopbackClients() to registration';

const redirectUri = 'http://127.0.0.1:49152/callback';

/** Registration, and clients that are documents. RFC 7591. */
export async function* registrationChecks(exam: Exam): AsyncGenerator<Check> {
  const { server } = exam;
  const address = textOf(server, 'registration_endpoint');
  if (address !== undefined) yield* exam.write ? registered(exam, address) : registrationAnswers(exam, address);
  else {
    const text = 'apps cannot register here; administrators create applications';
    yield { id: 'registration', mark: 'skipped', text };
  }
  const documents = takesDocuments(server);
  const text = `metadata documents ${documents ? 'can' : 'cannot'} be clients`;
  yield { id: 'documents', mark: documents ? 'ok' : 'info', text };
}

function register({ probe }: Exam, address: string, redirectUris: readonly string[]): Promise<Answer> {
  const metadata = { client_name: 'campus-oidc doctor', token_endpoint_auth_method: 'none' };
  const body = JSON.stringify({ ...metadata, redirect_uris: redirectUris });
  return probe(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

/** Without a redirect URI nothing is registered. */
async function* registrationAnswers(exam: Exam, address: string): AsyncGenerator<Check> {
  const answer = await register(exam, address, []);
  const right = 'answers; use --write to register a client';
  const wrong = errorProblem(answer, [400]);
  yield verdictOn('registration', 'registration', wrong, right, adviceOn(answer, registrationFix));
  const text = 'shared stores and cookie secrets were not checked; use --write';
  yield { id: 'processes-store', mark: 'skipped', text };
}

async function* registered(exam: Exam, address: string): AsyncGenerator<Check> {
  const answer = await register(exam, address, [redirectUri]);
  const id = 'registration';
  const clientId = textOf(answer.json, 'client_id');
  if (answer.status === 201 && clientId !== undefined) {
    yield { id, mark: 'ok', text: 'an app on this machine has registered' };
    yield* processChecks(exam, clientId, redirectUri);
    if (!isDivided(exam)) yield await longStateCheck(exam, { client_id: clientId, redirect_uri: redirectUri });
    return;
  }
  const text = `an app on this machine cannot register: ${refusal(answer.status, answer.json)}`;
  if (answer.status === 400 && textOf(answer.json, 'error') !== undefined)
    yield { id, mark: 'info', text, fix: policyFix };
  else yield { id, mark: 'error', text, fix: adviceOn(answer, registrationFix) };
  const untried = 'shared stores and cookie secrets were not checked, because no client could register';
  yield { id: 'processes-store', mark: 'skipped', text: untried };
}

const unfetched = 'the server cannot fetch';

/** What the player throws where the person would sign in. */
class AtSignIn extends Error {
  readonly byCopy: boolean;

  constructor(byCopy: boolean) {
    super();
    this.byCopy = byCopy;
  }
}

/** How far an app came. */
interface Reached {
  /** Why it stopped before the page where a person signs in. */
  readonly stopped?: string | undefined;
  /** Whether the server has taken a copy of its document, since the host of the document did not answer. */
  readonly byCopy?: boolean;
}

/** The known apps, as far as one comes without a person. */
export async function* appChecks(exam: Exam): AsyncGenerator<Check> {
  const { origin, resources, server } = exam;
  const endpoints = [`${origin}${paths.mcpOperator}`, `${origin}${paths.mcp}`];
  const address = endpoints.find((endpoint) => resources.includes(endpoint));
  const divided = isDivided(exam);
  if (address === undefined || divided) {
    const text = divided
      ? 'apps were not tried, because the processes differ: see above'
      : 'apps have no tools to use here';
    yield { id: 'apps', mark: 'skipped', text };
    return;
  }
  const registers = textOf(server, 'registration_endpoint') !== undefined;
  const ways = waysAt({ documents: takesDocuments(server), registers });
  for (const app of ways) yield appCheck(app, await reach(app, address, exam), exam.write);
}

function appCheck({ name, page, document }: ReplayClient, { stopped, byCopy }: Reached, write: boolean): Check {
  const id = `app ${name}`;
  const hostFix = document && `let the server connect to ${new URL(document).host}: DNS, firewall, proxy`;
  if (byCopy === true) {
    const text = `${name}: finds the sign-in page with a copy: ${unfetched} ${document}`;
    return {
      id,
      mark: 'info',
      text,
      fix: `${hostFix}; if the host answers 403, wait: the last copy is used for 7 days`,
    };
  }
  if (stopped === undefined) {
    if (write) return { id, mark: 'ok', text: `${name}: finds the sign-in page` };
    const text = `${name}: finds the sign-in page; use --write to try the sign-in itself`;
    return { id, mark: 'skipped', text };
  }
  const text = `${name}: ${stopped}`;
  if (refused.test(stopped)) return { id, mark: 'info', text, fix: refusedFix };
  if (page !== undefined) {
    return { id, mark: 'info', text, fix: `it runs in a browser; if it should work, add ${page} to origins of mcp()` };
  }
  const fix =
    hostFix !== undefined && stopped.startsWith(unfetched)
      ? hostFix
      : 'fix the problems above first; docs/reference/client-apps.md describes what each app does';
  return { id, mark: 'error', text, fix };
}

/** What a policy or a rule says, and no proxy. */
const refused =
  /^(?:registration|the authorization request) was refused: (?:invalid_client|invalid_redirect_uri|access_denied)/;
const refusedFix =
  'find the rule or policy that refuses it, and what would allow it, with campus-oidc explain or campus.explainRegistration';

/** Plays an app until it would show a page. */
async function reach(app: ReplayClient, address: string, { origin, write, server, times }: Exam): Promise<Reached> {
  const real = boundedFetch(origin, times);
  const registration = textOf(server, 'registration_endpoint');
  const dry: typeof fetch = async (url, init) => {
    const asked = url instanceof Request ? url.url : String(url);
    if (write || asked !== registration || init?.method !== 'POST') return real(url, init);
    const posted = typeof init.body === 'string' ? parseObject(init.body) : {};
    const headers = { 'access-control-allow-origin': '*' };
    return Response.json({ ...posted, client_id: 'dry-run' }, { status: 201, headers });
  };
  const approve = async (given: URL | string): Promise<URL> => {
    const url = URL.parse(String(given));
    if (url?.origin !== origin) throw new Stopped(`it would send the person to ${url?.origin ?? String(given)}`);
    throw new AtSignIn(write && (await authorize(url, app, real)));
  };
  try {
    return { stopped: (await play(app, { address, fetch: dry, approve })).reason };
  } catch (error) {
    if (error instanceof AtSignIn) return { byCopy: error.byCopy };
    return { stopped: error instanceof Error ? error.message : String(error) };
  }
}

/** Sends the person to sign in; whether by a copy of a document. @throws Stopped if that is not where they arrive */
async function authorize(url: URL, { document }: ReplayClient, real: typeof fetch): Promise<boolean> {
  // A person gets a page; JSON says which error it is.
  const response = await real(url, { headers: { accept: 'application/json' } });
  const { status, headers } = response;
  if (status >= 300 && status < 400) return headers.has(servedCopyHeader);
  if (status === 503 && document !== undefined) throw new Stopped(`${unfetched} ${document}`);
  const json = parseObject(await response.text());
  if (textOf(json, 'error') === undefined)
    throw new Stopped(`the authorization request ends at a page of status ${status}`);
  throw new Stopped(`the authorization request was refused: ${refusal(status, json)}`);
}
