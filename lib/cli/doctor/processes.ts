import { randomUUID } from 'node:crypto';
import { coreFindings } from '../../diagnose/findings.ts';
import { paths } from '../../http/paths.ts';
import { digest } from '../../kernel/crypto.ts';
import { type Check, type Exam, manyRequests, verdict } from './exam.ts';
import type { Answer, Probe } from './probe.ts';

/** The checks below. */
const processIds: ReadonlySet<string> = new Set(['processes-store', 'processes-cookies']);

/** Whether luck decides what an app sees, by what was found so far. */
export function isDivided({ checks }: Exam): boolean {
  return checks.some(({ id, mark }) => mark === 'error' && processIds.has(id));
}

/** Whether all processes behind a load balancer share what they must, as a client sees it that was registered just now. */
export async function* processChecks(
  { origin, probe }: Exam,
  clientId: string,
  redirectUri: string,
): AsyncGenerator<Check> {
  const client = { client_id: clientId, redirect_uri: redirectUri };
  // An error that only a known client gets at its own address. Nothing is stored for it.
  const known = await many(() => probe(authorizeAddress({ ...client, response_type: 'none-of-them' })));
  const strangers = known.filter(isRefused).length;
  yield verdict(
    'processes-store',
    strangers > 0 &&
      `the processes at this origin do not share a store: the client that was registered just now is unknown to ${strangers} of ${manyRequests} requests`,
    'all processes share a store',
    'give all processes one redisStore, with the same Redis and prefix; a memoryStore is for a single process',
  );
  if (strangers > 0) return;
  const lost = await lostSignIns(origin, probe, client);
  yield verdict(
    'processes-cookies',
    lost > 0 &&
      `the processes at this origin have different cookie secrets: the way to the sign-in page lost ${lost} of ${manyRequests} authorization requests`,
    'all processes have the same cookie secrets',
    coreFindings['keys-differ'][1],
  );
}

/** How many authorization requests one process begins and another does not know by its cookie. */
async function lostSignIns(origin: string, probe: Probe, client: Readonly<Record<string, string>>): Promise<number> {
  const begun = await many(() => probe(authorizeAddress({ ...client, ...codeRequest() })));
  // Every second one first: a load balancer that goes round would send each to the process that began it.
  const mixed = [...begun.filter((_, i) => i % 2 === 0), ...begun.filter((_, i) => i % 2 === 1)];
  const pages = await Promise.all(mixed.map((answer) => follow(origin, probe, answer)));
  return pages.filter((page) => page !== undefined && isRefused(page)).length;
}

async function follow(origin: string, probe: Probe, { headers }: Answer): Promise<Answer | undefined> {
  const page = URL.parse(headers.get('location') ?? '', origin);
  if (page?.origin !== origin || !page.pathname.startsWith(`${paths.interaction}/`)) return undefined;
  const cookies = headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  return probe(page.href, { headers: { cookie: cookies.join('; ') } });
}

function isRefused({ status }: Answer): boolean {
  return status === 400;
}

function many(ask: () => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: manyRequests }, ask));
}

function authorizeAddress(parameters: Readonly<Record<string, string>>): string {
  return `${paths.authorize}?${new URLSearchParams(parameters).toString()}`;
}

function codeRequest(): Record<string, string> {
  const code_challenge = digest(randomUUID());
  return { response_type: 'code', state: randomUUID(), code_challenge, code_challenge_method: 'S256' };
}
