import type { Comparison, Measured } from './comparison.ts';
import type { TokenOrder } from './token-requests.ts';

const base = 'without it';
const others = ['without it, again', 'with it'];

/** The services of a process that are compared: `without it, again` shows the noise that is left. */
export const serviceNames: readonly string[] = [base, ...others];

export type Turns = ReadonlyMap<string, readonly Measured[]>;

interface TurnsOptions {
  /** The process of all services. */
  readonly process: string;
  /** What is requested. */
  readonly kind: string;
  /** Turns of each service. */
  readonly rounds: number;
  /** Requests of each turn. */
  readonly amount: number;
}

/** Lets the services of one process take short turns, so that other apps on the machine slow down each of them alike. */
export async function takeTurns(
  comparison: Comparison,
  { process, kind, rounds, amount }: TurnsOptions,
): Promise<Turns> {
  const seen = new Map(serviceNames.map((service): [string, Measured[]] => [service, []]));
  const turn = async (service: string): Promise<Measured> => {
    const order: TokenOrder = Object(await comparison.tell(process, { kind, service }));
    return comparison.measure(process, { ...order, connections: 10, amount });
  };
  // V8 compiles what has run often.
  for (let i = 0; i < 10; i += 1) for (const service of serviceNames) await turn(service);
  for (let round = 0; round < rounds; round += 1) {
    // Whoever comes first after a pause pays for it.
    const order = [...seen, ...seen].slice(round % seen.size, (round % seen.size) + seen.size);
    for (const [service, all] of order) all.push(await turn(service));
  }
  return seen;
}

interface Printed {
  readonly title: string;
  /** Microseconds of a request. */
  readonly costOf: (measured: Measured) => number;
  /** Percent. @default not judged */
  readonly limit?: number | undefined;
}

/** Prints what each service costs more than without it, turn by turn. */
export function printTurns(seen: Turns, { title, costOf, limit }: Printed): void {
  const bases = (seen.get(base) ?? []).map(costOf);
  console.log(`\n${title}: ${quantile(bases, 0.5).toFixed(0)} µs without it`);
  for (const service of others) {
    const costs = (seen.get(service) ?? []).map((each, i) => (costOf(each) / (bases[i] ?? Number.NaN) - 1) * 100);
    const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(costs, share).toFixed(1));
    const isJudged = limit !== undefined && service === 'with it';
    const verdict = isJudged ? `, limit ${limit} %: ${Number(middle) < limit ? 'met' : 'missed'}` : '';
    console.log(`${service}: ${middle} % more (half of the rounds ${low} to ${high})${verdict}`);
  }
  const failed = [...seen.values()].flat().reduce((sum, each) => sum + each.failed, 0);
  if (failed === 0) return;
  process.exitCode = 1;
  console.log(`${failed} requests failed`);
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
