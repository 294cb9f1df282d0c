import { takesDocuments } from '../../simulated-clients/client.ts';
import { waysAt } from '../../simulated-clients/client-programs.ts';
import { play } from '../../simulated-clients/play.ts';
import type { ReplayProgram } from '../../simulated-clients/program.ts';
import { Stopped } from '../../simulated-clients/wire.ts';
import { parseObject, textOf } from '../../kernel/json.ts';
import { paths } from '../../http/paths.ts';
import { errorProblem } from './endpoints.ts';
import { type Check, type Exam, verdict } from './exam.ts';
import { boundedFetch } from './probe.ts';
import { processChecks, processIds } from './processes.ts';

const registrationFix =
  'let POST requests with JSON pass, through the proxy and every middleware of the application; campus.explainRegistration says what the policies decide';

const redirectUri = 'http://127.0.0.1:49152/callback';

/** Registration, and clients that are documents. RFC 7591. */
export async function* registrationChecks(exam: Exam): AsyncGenerator<Check> {
  const { probe, server, write } = exam;
  const address = textOf(server, 'registration_endpoint');
  if (address === undefined) {
    yield {
      id: 'registration',
      mark: 'skipped',
      text: 'programs cannot register here; administrators create applications',
    };
  } else {
    const metadata = { client_name: 'campus-oidc doctor', token_endpoint_auth_method: 'none' };
    const body = JSON.stringify({ ...metadata, redirect_uris: write ? [redirectUri] : [] });
    const answer = await probe(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const clientId = textOf(answer.json, 'client_id');
    const refused = `${answer.status} ${textOf(answer.json, 'error_description') ?? ''}`;
    const [wrong, right] = write
      ? [
          (answer.status !== 201 || clientId === undefined) && `a program on this machine cannot register: ${refused}`,
          'a program on this machine has registered',
        ]
      : [errorProblem(answer, [400]), 'registration answers; nothing was registered (see --write)'];
    yield verdict('registration', wrong && `registration: ${wrong}`, right, registrationFix);
    if (write && clientId !== undefined) yield* processChecks(exam, clientId, redirectUri);
  }
  const documents = takesDocuments(server);
  const text = `metadata documents ${documents ? 'can' : 'cannot'} be clients`;
  yield { id: 'documents', mark: documents ? 'ok' : 'info', text };
}

const unfetched = 'the server cannot fetch';

/** What the player throws where the person would sign in. */
class AtSignIn extends Error {}

/** The known programs, as far as one comes without a person. */
export async function* programChecks(exam: Exam): AsyncGenerator<Check> {
  const { origin, resources, server } = exam;
  const endpoints = [`${origin}${paths.mcpOperator}`, `${origin}${paths.mcp}`];
  const address = endpoints.find((endpoint) => resources.includes(endpoint));
  const isDivided = exam.checks.some(({ id, mark }) => mark === 'error' && processIds.has(id));
  if (address === undefined || isDivided) {
    const text = isDivided
      ? 'how far programs get depends on the process that answers: see above'
      : 'programs have no tools to use here';
    yield { id: 'programs', mark: 'skipped', text };
    return;
  }
  const registers = textOf(server, 'registration_endpoint') !== undefined;
  const ways = waysAt({ documents: takesDocuments(server), registers });
  for (const program of ways) yield programCheck(program, await reach(program, address, exam), exam.write);
}

function programCheck({ name, page, document }: ReplayProgram, stopped: string | undefined, write: boolean): Check {
  const id = `program ${name}`;
  const how = write ? '' : ' (dry run)';
  if (stopped === undefined) return { id, mark: 'ok', text: `${name}: finds the page where a person signs in${how}` };
  const text = `${name}: ${stopped}`;
  if (stopped.startsWith('registration was refused')) {
    const fix = 'it needs an application that an administrator creates, or another registration policy';
    return { id, mark: 'info', text, fix };
  }
  if (page !== undefined) {
    return { id, mark: 'info', text, fix: `it runs in a browser; if it should work, add ${page} to origins of mcp()` };
  }
  const fix =
    document !== undefined && stopped.startsWith(unfetched)
      ? `let the server connect to ${new URL(document).host}: DNS, firewall, proxy`
      : 'repair what is wrong above first; docs/clients.md has what each program does';
  return { id, mark: 'error', text, fix };
}

/** Plays a program until it would show a page; why it stopped before. */
async function reach(
  program: ReplayProgram,
  address: string,
  { origin, write, server, times }: Exam,
): Promise<string | undefined> {
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
    const status = write ? (await real(url)).status : 302;
    if (status === 503 && program.document !== undefined) throw new Stopped(`${unfetched} ${program.document}`);
    if (status < 300 || status >= 400)
      throw new Stopped(`the authorization request ends at a page of status ${status}`);
    throw new AtSignIn();
  };
  try {
    return (await play(program, { address, fetch: dry, approve })).reason;
  } catch (error) {
    if (error instanceof AtSignIn) return undefined;
    return error instanceof Error ? error.message : String(error);
  }
}
