import { setTimeout as sleep } from 'node:timers/promises';
import { Ledger } from '../drills/ledger.ts';
import { client, exchanging, tokensOf } from '../drills/requests.ts';
import { type Answer, type Ask, post, Visitor } from '../drills/visitor.ts';
import { databases } from '../support/databases.ts';
import { percentile, startServer } from '../support/scale-servers.ts';
import type { Given } from './arguments.ts';

/** One school takes a whole crowd, from one address. */
const crowded = 'school-crowd';

interface Person {
  readonly school: string;
  readonly id: string;
  readonly address: string;
  /** At the platform, before the sign-in begins. */
  readonly signedIn: boolean;
}

/** How sign-ins ended, by kind, and how long those took that were complete. */
class Outcomes {
  readonly #counts = new Map<string, number>();
  readonly waits: number[] = [];

  add(outcome: string): void {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
  }

  get row() {
    return {
      ...Object.fromEntries(this.#counts),
      'p50 ms': Math.round(percentile(this.waits, 0.5)),
      'p99 ms': Math.round(percentile(this.waits, 0.99)),
    };
  }
}

export async function run(given: Given<'morning'>): Promise<void> {
  const { on, schools, rate, seconds, crowd, 'find-site': foundAfter } = given;
  const database = await databases[on]();
  const server = await startServer({ database: database.place, sites: { foundAfter }, limited: true });
  const ledger = new Ledger();
  const send = (origin: string, ask: Ask): Promise<Answer> => post(server.port, origin, ask);
  const outcomes = { 'at all schools': new Outcomes(), 'in the crowd': new Outcomes() };
  const running: Promise<void>[] = [];
  const begin = (person: Person, to: Outcomes): void => void running.push(signIn(person, { send, ledger, to }));
  try {
    const [before, start] = [await server.costs(), performance.now()];
    const loaded = await database.cpu();
    let [begun, inCrowd] = [0, 0];
    for (let passed = 0; passed < seconds; passed = (performance.now() - start) / 1000) {
      for (; begun < passed * rate; begun += 1) begin(pupil(begun, schools), outcomes['at all schools']);
      for (; inCrowd < (passed / seconds) * crowd; inCrowd += 1) begin(oneOfCrowd(inCrowd), outcomes['in the crowd']);
      await sleep(5);
    }
    await Promise.all(running);
    const took = (performance.now() - start) / 1000;
    const [after, used] = [await server.costs(), (await database.cpu()) - loaded];
    const losses = await ledger.check(send);
    console.log(`\n${begun} sign-ins in ${took.toFixed(1)} s at ${schools} schools, and ${inCrowd} at one more`);
    console.log(`${database.version}, Node ${process.version}; a school is found in ${foundAfter} ms`);
    console.table(Object.fromEntries(Object.entries(outcomes).map(([name, { row }]) => [name, row])));
    const cores = (microseconds: number): string => (microseconds / 1e6 / took).toFixed(2);
    console.log(`cores used: server ${cores(after.cpu - before.cpu)}, database ${cores(used)}`);
    console.log(`acknowledged and checked afterwards: ${losses.checked} tokens, ${losses.tokens} of them lost`);
    if (losses.tokens > 0) process.exitCode = 1;
  } finally {
    await server.kill();
    await database.stop();
  }
}

/** People of a school share its address, and are signed in at the platform. */
function pupil(number: number, schools: number): Person {
  const school = number % schools;
  const address = `10.${school >> 16}.${(school >> 8) & 255}.${school & 255}`;
  return { school: `school-${school}`, id: `pupil-${number}`, address, signedIn: true };
}

function oneOfCrowd(number: number): Person {
  return { school: crowded, id: `crowd-${number}`, address: '192.0.2.1', signedIn: false };
}

async function signIn(
  { school, id, address, signedIn }: Person,
  place: {
    readonly send: (origin: string, ask: Ask) => Promise<Answer>;
    readonly ledger: Ledger;
    readonly to: Outcomes;
  },
): Promise<void> {
  const { send, ledger, to } = place;
  const origin = `http://${school}.test`;
  const start = performance.now();
  const visitor = new Visitor((ask) => send(origin, { ...ask, address }), origin, id, signedIn);
  const result = await visitor.signIn(client);
  if ('stopped' in result) return to.add(nameOf(result.stopped));
  const answer = await send(origin, { ...exchanging(result.code), address });
  if (answer.status !== 200) return to.add(nameOf(answer));
  const { access, refresh } = tokensOf(answer.text);
  ledger.issued({ origin, access: [access], refresh });
  to.waits.push(performance.now() - start);
  return to.add('connected');
}

function nameOf({ status, headers }: Answer): string {
  if (status === 0) return 'no response';
  return headers['retry-after'] === undefined ? String(status) : `${status} with Retry-After`;
}
