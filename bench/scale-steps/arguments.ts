import { parseArgs } from 'node:util';

/** An option of a step: its text in the usage, its default, and how its value is read. */
interface StepOption<T> {
  readonly what: string;
  readonly standard: string;
  /** @throws Error for a value that is none */
  readonly read: (text: string) => T;
}

function whole(standard: string, what: string): StepOption<number> {
  const read = (text: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number;
    throw new Error(`${text} must be a whole number`);
  };
  return { what, standard, read };
}

function wholes(standard: string, what: string): StepOption<number[]> {
  const read = (text: string): number[] => {
    const numbers = text.split(',').map(Number);
    if (numbers.every((number) => Number.isSafeInteger(number) && number >= 0)) return numbers;
    throw new Error(`${text} must be whole numbers, separated by commas`);
  };
  return { what, standard, read };
}

function decimal(standard: string, what: string): StepOption<number> {
  const read = (text: string): number => {
    const number = Number(text);
    if (text !== '' && Number.isFinite(number) && number >= 0) return number;
    throw new Error(`${text} must be a number`);
  };
  return { what, standard, read };
}

function oneOf<const T extends string>(names: readonly [T, ...T[]], what: string): StepOption<T> {
  const read = (text: string): T => {
    const found = names.find((name) => name === text);
    if (found !== undefined) return found;
    throw new Error(`${text} must be one of ${names.join(', ')}`);
  };
  return { what: `${what}: ${names.join(', ')}`, standard: names[0], read };
}

const on = oneOf(['redis', 'postgres', 'cluster', 'pgbouncer'], 'the database of this run');
const findSite = whole('1', 'milliseconds that the platform takes to find a school');

/** Every step, with its options. The usage is made from this. */
export const steps = {
  costs: {
    what: 'what each operation costs on Redis with few and with many connections and schools, as ratios',
    options: {
      connections: wholes('10000,100000', 'connections at one school; a million take about 2.3 GB and ten minutes'),
      schools: wholes('1,1000,10000', 'schools, with 20000 connections in all'),
      times: whole('400', 'how often each operation is measured'),
    },
  },
  bytes: {
    what: 'bytes of a connection after so many refreshes',
    options: {
      on,
      connections: whole('2000', 'connections'),
      schools: whole('100', 'schools that they belong to'),
      refreshes: wholes('0,10,100', 'refreshes at which bytes are counted'),
      sample: whole('0', 'connections that are refreshed, at equal distances; 0 for every connection'),
    },
  },
  latency: {
    what: 'p50 and p99 of verify, refresh, authorize and sign-in at schools that a process knows and does not know; what they cost',
    options: {
      on,
      connections: whole('2000', 'connections in the database'),
      schools: whole('1000', 'schools that they belong to'),
      times: whole('300', 'requests of each kind, at most as many as schools and a fifth of the connections'),
      callers: whole('8', 'requests at a time'),
      'find-site': findSite,
    },
  },
  memory: {
    what: 'memory of a server process while it serves one school after the other',
    options: {
      on,
      schools: whole('2000', 'schools, each with a refresh and a discovery'),
      'find-site': findSite,
    },
  },
  morning: {
    what: 'sign-ins at many schools at a fixed rate with the limits on: what is shed, and whether anything is lost',
    options: {
      on,
      schools: whole('300', 'schools, one after the other'),
      rate: whole('30', 'sign-ins that begin each second, however long the others take'),
      seconds: whole('10', 'how long sign-ins begin'),
      crowd: whole(
        '100',
        'further sign-ins at one school and from one address, of people the platform does not know yet',
      ),
      'find-site': findSite,
    },
  },
  faults: {
    what: 'a failover of a Redis Cluster and a restart of PostgreSQL in the middle; two of the drills of npm run drill',
    options: {
      pause: whole('2000', 'milliseconds of load without a fault, for comparison'),
    },
  },
  restore: {
    what: 'a backup, further use, and the backup again: what people notice',
    options: {
      on: oneOf(['redis', 'postgres'], 'the database of this run'),
      people: whole('20', 'people in each of four situations'),
    },
  },
  log: {
    what: 'bytes of an event in the log, what a write costs, and what each question about the largest school reads',
    options: {
      on: oneOf(['redis', 'postgres', 'sqlite'], 'the database of this run'),
      events: wholes('20000,100000', 'events at which it is measured'),
      schools: whole('2000', 'schools that they belong to'),
    },
  },
  model: {
    what: 'from the figures of the other steps to a service of any size; measures nothing',
    options: {
      on: oneOf(['redis', 'postgres'], 'the database that is sized'),
      connections: whole('50000000', 'connections'),
      'refreshes-a-day': decimal('12', 'refreshes of a connection a day'),
      'verifies-a-day': decimal('48', 'verifications of its access tokens a day'),
      'sign-ins-a-day': decimal('0.05', 'sign-ins for a connection a day'),
      peak: decimal('4', 'the busiest minute of the day to the mean'),
      load: decimal('0.5', 'share of a core that is used in the busiest minute'),
      replicas: whole('1', 'replicas of each database server'),
      headroom: decimal(
        '1.6',
        'memory or disk to the bytes that are stored: fragmentation, copies while saving, growth',
      ),
      'memory-gb': decimal('32', 'GB of memory of a Redis'),
      'disk-gb': decimal('1000', 'GB of disk of a PostgreSQL'),
      'server-cores': decimal('16', 'cores of a PostgreSQL; a Redis runs commands on one'),
      'core-cost': decimal('20', 'price of a core for a month, in any currency'),
      'gb-cost': decimal('3', 'price of a GB of memory for a month'),
      'disk-cost': decimal('0.1', 'price of a GB of disk for a month'),
    },
  },
} as const;

export type StepName = keyof typeof steps;

type Options<S extends StepName> = (typeof steps)[S]['options'];

/** What a step was given. */
export type Given<S extends StepName> = {
  readonly [O in keyof Options<S>]: Options<S>[O] extends StepOption<infer T> ? T : never;
};

const names = Object.keys(steps);

function isStep(name: string): name is StepName {
  return names.includes(name);
}

function listed(options: Readonly<Record<string, StepOption<unknown>>>): string {
  return Object.entries(options)
    .map(([name, { standard, what }]) => `    ${`--${name} ${standard}`.padEnd(26)} ${what}`)
    .join('\n');
}

export const usage = `npm run bench:scale -- --step <name> [options]

Measures, on databases and processes of its own, how the service behaves with many schools and connections. Without --step all
steps run, with their defaults, which are small. bench/SCALE.md has what was measured.

  --step <name>   one of the steps below
  --help          this text

${Object.entries(steps)
  .map(([name, { what, options }]) => `  ${name}: ${what}\n${listed(options)}`)
  .join('\n\n')}`;

/** Every step, with its defaults. */
export function allSteps(): Chosen[] {
  return names.filter(isStep).map((step) => chosen(step, {}));
}

/** What a step is given by default. */
export function standardOf<S extends StepName>(step: S): Given<S> {
  return readOptions(step, {});
}

function chosen(step: StepName, texts: OptionTexts): Chosen {
  return Object({ step, given: readOptions(step, texts) });
}

type OptionTexts = Readonly<Record<string, string | undefined>>;

/** A step that was chosen, with what it was given. */
export type Chosen = { readonly [S in StepName]: { readonly step: S; readonly given: Given<S> } }[StepName];

/** The step that the arguments name, with its options; nothing if they name none. @throws Error that says what is wrong */
export function readStep(args: readonly string[]): Chosen | undefined {
  const { values, tokens } = parseArgs({
    args: [...args],
    options: { step: { type: 'string' } },
    strict: false,
    tokens: true,
  });
  const step = values.step;
  const others = tokens.flatMap((token) => (token.kind === 'option' && token.name !== 'step' ? token.name : []));
  if (step === undefined) {
    if (others.length > 0) throw new Error(`--${others[0]} is an option of a step: choose one with --step`);
    return undefined;
  }
  if (typeof step !== 'string' || !isStep(step)) throw new Error(`--step must be one of ${names.join(', ')}`);
  const options = Object.fromEntries(
    ['step', ...Object.keys(steps[step].options)].map((name) => [name, { type: 'string' as const }]),
  );
  return chosen(step, parseArgs({ args: [...args], options }).values);
}

function readOptions<S extends StepName>(step: S, texts: OptionTexts): Given<S> {
  const options: Readonly<Record<string, StepOption<unknown>>> = steps[step].options;
  const read = ([name, { standard, read: of }]: [string, StepOption<unknown>]): [string, unknown] => {
    try {
      return [name, of(texts[name] ?? standard)];
    } catch (error) {
      throw new Error(`--${name} ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  };
  return Object(Object.fromEntries(Object.entries(options).map(read)));
}
