import { authorizeUrl, pkce } from '../../__tests__/helpers/flow.ts';
import type { Server } from '../drills/topology.ts';
import { client, exchanging, refreshing } from '../drills/requests.ts';
import { type Answer, type Ask, post, Visitor } from '../drills/visitor.ts';
import { type Database, databases } from '../support/databases.ts';
import { NumberedSchools } from '../support/numbered-schools.ts';
import { percentile, printFailures, startServer, waitsOf } from '../support/scale-servers.ts';
import type { Given } from './arguments.ts';

/** Schools whose requests meet in the process before and while they are measured. */
const knownSchools = 8;
/** Sign-ins, refreshes and verifications before anything is measured: V8 compiles what runs often. */
const warmUps = 300;

/** Connections that are measured have numbers beyond all others. */
const firstMeasured = 1e9;

interface Operation {
  readonly name: string;
  /** Whether it needs a connection that is there already. */
  readonly hasConnection: boolean;
  readonly call: (send: (origin: string, ask: Ask) => Promise<Answer>, number: number, school: string) => Promise<void>;
}

function expectStatus({ status, text }: Answer, wanted: number): void {
  if (status !== wanted) throw new Error(`${status} instead of ${wanted}: ${text}`);
}

function operationsAt(schools: NumberedSchools): Operation[] {
  return [
    {
      name: 'verify (UserInfo)',
      hasConnection: true,
      call: async (send, number, school) => {
        const { origin, accessToken: token } = schools.names(number, school);
        expectStatus(await send(origin, { path: '/api/oauth/userinfo', token }), 200);
      },
    },
    {
      name: 'refresh',
      hasConnection: true,
      call: async (send, number, school) => {
        const { origin, refreshToken } = schools.names(number, school);
        expectStatus(await send(origin, refreshing(refreshToken)), 200);
      },
    },
    {
      name: 'authorize, first request',
      hasConnection: false,
      call: async (send, number, school) => {
        const { origin, memberId } = schools.names(number, school);
        const { pathname, search } = authorizeUrl(origin, client, pkce());
        expectStatus(await send(origin, { path: pathname + search, cookie: `person=${memberId}` }), 303);
      },
    },
    {
      name: 'sign-in with consent and exchange',
      hasConnection: false,
      call: async (send, number, school) => {
        const { origin, memberId } = schools.names(number, school);
        const result = await new Visitor((ask) => send(origin, ask), origin, memberId).signIn(client);
        if ('stopped' in result) throw new Error(`${result.stopped.status}: ${result.stopped.text}`);
        expectStatus(await send(origin, exchanging(result.code)), 200);
      },
    },
  ];
}

export async function run(given: Given<'latency'>): Promise<void> {
  const { on, connections, schools: count, times, callers, 'find-site': foundAfter } = given;
  const database = await databases[on]();
  const schools = await NumberedSchools.start(count, database.store);
  const server = await startServer({ database: database.place, sites: { foundAfter } });
  try {
    const start = performance.now();
    await schools.grow(connections);
    const filled = (performance.now() - start) / 1000;
    console.log(`\n${connections} connections were written in ${filled.toFixed(0)} s`);
    await warmUp(schools, server, callers);
    const rows = [];
    for (const [at, operation] of operationsAt(schools).entries()) {
      for (const school of ['new', 'known']) {
        const isNew = school === 'new';
        const from = firstMeasured + (2 * at + Number(isNew)) * times;
        const numbers = Array.from({ length: times }, (_, i) => from + i);
        const schoolOf = (number: number): string =>
          `school-${isNew ? `new${number}` : `known${number % knownSchools}`}`;
        if (operation.hasConnection) await schools.write(numbers, schoolOf);
        const measured = await measure({ database, server, operation, numbers, schoolOf, callers });
        rows.push({ operation: operation.name, school, ...measured });
        // A run that is stopped has measured something.
        console.log(`${operation.name}, ${school} school: ${JSON.stringify(measured)}`);
      }
    }
    console.log(`${connections} connections at ${count} schools, ${database.version}, Node ${process.version}`);
    console.log(`${callers} requests at a time, ${times} of each kind; a school is found in ${foundAfter} ms`);
    console.table(rows);
    console.log('CPU: microseconds of the server process, and of all processes of the database, for each operation.');
  } finally {
    await server.kill();
    await schools.close();
    await database.stop();
  }
}

async function warmUp(schools: NumberedSchools, server: Server, callers: number): Promise<void> {
  const send = (origin: string, ask: Ask): Promise<Answer> => post(server.port, origin, ask);
  const schoolOf = (number: number): string => `school-known${number % knownSchools}`;
  for (const [at, { call, hasConnection }] of operationsAt(schools).entries()) {
    const numbers = Array.from({ length: warmUps }, (_, i) => firstMeasured / 2 + at * warmUps + i);
    if (hasConnection) await schools.write(numbers, schoolOf);
    const { failures } = await waitsOf(numbers, callers, (number) => call(send, number, schoolOf(number)));
    printFailures(failures);
  }
}

async function measure(of: {
  readonly database: Database;
  readonly server: Server;
  readonly operation: Operation;
  readonly numbers: readonly number[];
  readonly schoolOf: (number: number) => string;
  readonly callers: number;
}): Promise<Readonly<Record<string, string | number>>> {
  const { database, server, operation, numbers, schoolOf, callers } = of;
  const send = (origin: string, ask: Ask): Promise<Answer> => post(server.port, origin, ask);
  const costs = async () => ({
    at: performance.now(),
    server: (await server.costs()).cpu,
    database: await database.cpu(),
    logged: await database.logged(),
    syncs: await database.syncs(),
  });
  const before = await costs();
  const { waits, failures } = await waitsOf(numbers, callers, (number) =>
    operation.call(send, number, schoolOf(number)),
  );
  const after = await costs();
  printFailures(failures);
  const each = (what: 'server' | 'database' | 'logged'): number => (after[what] - before[what]) / numbers.length;
  return {
    'p50 ms': percentile(waits, 0.5).toFixed(2),
    'p99 ms': percentile(waits, 0.99).toFixed(2),
    failed: failures.length,
    'a second': Math.round((numbers.length * 1000) / (after.at - before.at)),
    'server CPU': Math.round(each('server')),
    'database CPU': Math.round(each('database')),
    'log bytes': Math.round(each('logged')),
    syncs: after.syncs === undefined ? '' : ((after.syncs - (before.syncs ?? 0)) / numbers.length).toFixed(2),
  };
}
