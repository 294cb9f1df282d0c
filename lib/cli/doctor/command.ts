import { textsOf } from '../../kernel/json.ts';
import { coreFindings } from '../../diagnose/findings.ts';
import { hasOtherPort, isPlain } from '../../diagnose/sites.ts';
import { type Command, originOf, off, readLine, UsageError } from '../command.ts';
import type { Terminal } from '../output.ts';
import { appChecks, registrationChecks } from './clients.ts';
import { developerChecks, metadataChecks, resourceChecks } from './documents.ts';
import { authorizeChecks, cacheChecks, challengeChecks, corsChecks, mcpChecks, tokenChecks } from './endpoints.ts';
import type { Check, Exam } from './exam.ts';
import { keyChecks } from './keys.ts';
import { longRequestChecks } from './long-requests.ts';
import { createProbe, Unreachable } from './probe.ts';

export const doctor: Command = {
  help: `Usage: campus-oidc doctor <origin> [--write] [--json]

Inspect a live school as clients do, and print what works, what is wrong and how to fix it. The command needs no account
and makes no changes. It lists what it does not try for that reason.

  --write  also register clients, which expire after 24 hours, and start authorization requests, to compare the stores and
           cookie secrets of the processes behind a load balancer
  --json   for apps

Exit codes: 0 no problems, 1 problems, 2 wrong usage.`,
  async run(args, terminal) {
    const { values, positionals } = readLine('doctor', args, { json: off, write: off });
    const [given, ...more] = positionals;
    if (given === undefined || more.length > 0)
      throw new UsageError('name one origin, for example: campus-oidc doctor https://harbour.example');
    const origin = originOf(given);
    const checks: Check[] = [];
    for await (const check of examine({ origin, write: values.write, checks }, terminal)) {
      if (!values.json) printCheck(check, checks.at(-1), terminal);
      checks.push(check);
    }
    const wrong = checks.filter(({ mark }) => mark === 'error' || mark === 'warning').length;
    if (values.json) {
      terminal.print(JSON.stringify({ origin, checks }));
    } else {
      const skipped = checks.filter(({ mark }) => mark === 'skipped').length;
      const result = wrong === 0 ? 'no problems' : `${wrong} with problems`;
      const left = skipped === 0 ? '' : `, ${skipped} not tried`;
      printFix(checks.at(-1)?.fix, terminal);
      terminal.print('', `${checks.length} checks of ${origin}, ${result}${left}`);
    }
    return wrong === 0 ? 0 : 1;
  },
};

/** Characters of what a server sends. */
const maxShown = 500;

/** Where several in a row have the same fix, it is below the last of them. */
function printCheck({ mark, text, fix }: Check, previous: Check | undefined, terminal: Terminal): void {
  if (fix !== previous?.fix) printFix(previous?.fix, terminal);
  terminal.report(mark, text.slice(0, maxShown));
}

function printFix(fix: string | undefined, terminal: Terminal): void {
  if (fix !== undefined) terminal.print(`     ${fix}`);
}

const groups: readonly (readonly [name: string, examine: (exam: Exam) => AsyncIterable<Check>])[] = [
  ['protected resources', resourceChecks],
  ['keys', keyChecks],
  ['CORS', corsChecks],
  ['caches', cacheChecks],
  ['the token endpoint', tokenChecks],
  ['the authorization endpoint', authorizeChecks],
  ['long requests', longRequestChecks],
  ['challenges', challengeChecks],
  ['tools', mcpChecks],
  ['documents for developers', developerChecks],
  ['registration', registrationChecks],
  ['clients', appChecks],
];

/** What an examination starts with. */
interface Given {
  readonly origin: string;
  readonly write: boolean;
  readonly checks: readonly Check[];
}

async function* examine({ origin, ...given }: Given, terminal: Terminal): AsyncGenerator<Check> {
  const times: number[] = [];
  const probe = createProbe(origin, times);
  yield tlsCheck(origin);
  if (hasOtherPort(origin)) {
    yield { id: 'port', mark: 'info', text: 'the origin is not at port 443', fix: coreFindings['school-port'][1] };
  }
  try {
    terminal.progress('asking for metadata');
    const server = yield* metadataChecks(origin, probe);
    if (!server) {
      yield { id: 'rest', mark: 'skipped', text: 'all other checks need this metadata' };
      return;
    }
    const addresses = textsOf(server, 'protected_resources');
    const resources = addresses.filter((address) => address.startsWith(`${origin}/`));
    yield* examineServer({ ...given, origin, probe, server, times, resources }, terminal);
  } catch (error) {
    yield unreachable(origin, error);
  }
}

async function* examineServer(exam: Exam, terminal: Terminal): AsyncGenerator<Check> {
  for (const [name, group] of groups) {
    terminal.progress(`examining ${name}`);
    try {
      yield* group(exam);
    } catch (error) {
      yield unreachable(name, error);
    }
  }
  const { times } = exam;
  const middle = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  const text = `${times.length} responses, half of them within ${Math.ceil(middle)} ms`;
  const fix = 'check the database, Redis and the network to this machine';
  yield middle > 1000 ? { id: 'times', mark: 'warning', text, fix } : { id: 'times', mark: 'ok', text };
}

function tlsCheck(origin: string): Check {
  const id = 'tls';
  if (origin.startsWith('https:')) return { id, mark: 'ok', text: 'the origin is https:' };
  if (!isPlain(origin)) return { id, mark: 'info', text: 'the origin is http:, on this machine' };
  return { id, mark: 'error', text: 'the origin is http:', fix: coreFindings['school-http'][1] };
}

function unreachable(what: string, error: unknown): Check {
  if (!(error instanceof Unreachable)) throw error;
  return { id: `reach ${what}`, mark: 'error', text: `${what}: ${error.message}`, fix: error.fix };
}
