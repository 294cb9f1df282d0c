import { setTimeout as sleep } from 'node:timers/promises';
import { readArguments } from './support/arguments.ts';
import { type Fault, faults } from './drills/faults.ts';
import type { Losses } from './drills/ledger.ts';
import { Load, type Seen } from './drills/load.ts';
import { onePostgres, oneRedis, oneSqlite, redisCluster, type Topology } from './drills/topology.ts';
import { closeConnections } from './drills/visitor.ts';

const usage = `npm run drill -- [options]

Two server processes on one Redis, then on a Redis Cluster of three masters and three replicas, then on PostgreSQL, and one process
on a SQLite file, under load, while things go wrong. Prints a table for each, and fails if anything that was acknowledged was lost.

  --quick           short pauses: two minutes in all
  --on redis        only one Redis
  --on cluster      only the cluster
  --on postgres     only PostgreSQL
  --on sqlite       only SQLite
  --only <text>     only the drills whose name contains the text
  --help            this text`;

const { quick, on, only } = readArguments(usage, {
  quick: { type: 'boolean', default: false },
  on: { type: 'string' },
  only: { type: 'string', default: '' },
});
const times = quick ? { long: 2000, hang: 5000 } : { long: 10_000, hang: 60_000 };
const devices = 15;

/** What is printed of a drill. */
interface Report extends Seen {
  readonly fault: string;
  readonly recovered: boolean;
  /** Memory of the server process with the highest peak: before, at most, after; megabytes. */
  readonly rss: readonly [before: number, peak: number, after: number];
  readonly losses: Losses;
}

async function drill(topology: Topology, fault: Fault): Promise<Report> {
  const load = new Load(topology);
  const { servers } = topology;
  load.start(devices);
  if (!(await load.recovered(5, 30_000))) throw new Error(`the load does not run: ${JSON.stringify(load.seen())}`);
  for (const server of servers) server.forget();
  const before = servers.map(({ rss }) => rss);
  load.begin();
  await fault.run(topology, load, times);
  const recovered = await load.recovered(5, 30_000);
  await load.stop();
  const seen = load.seen();
  await sleep(1000);
  const losses = await load.ledger.check((origin, ask) => topology.send(origin, ask));
  const highest = servers.reduce((most, { peak }, i) => (peak > (servers[most]?.peak ?? 0) ? i : most), 0);
  const rss = [before[highest] ?? 0, servers[highest]?.peak ?? 0, servers[highest]?.rss ?? 0] as const;
  return { ...seen, fault: fault.name, recovered, rss, losses };
}

function print(name: string, reports: readonly Report[]): void {
  console.log(`\n${name}\n`);
  console.log(
    '| drill | longest pause | responses | memory | checked | lost tokens | lost revocations | codes used twice |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const { fault, pause, statuses, rss, losses, recovered } of reports) {
    const responses = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
    const { checked, tokens, revocations, codes } = losses;
    const cells = [
      fault,
      recovered ? `${(pause / 1000).toFixed(1)} s` : 'no recovery',
      responses.join(', '),
      `${rss.join(' → ')} MB`,
      ...[checked, tokens, revocations, codes].map(String),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
  for (const { fault, unexpected } of reports) {
    const kinds = Map.groupBy(unexpected, (text) => text);
    for (const [text, all] of kinds) console.log(`\nunexpected, ${fault}: ${all.length} × ${text}`);
  }
}

const topologies: Readonly<Record<string, () => Promise<Topology>>> = {
  redis: oneRedis,
  cluster: redisCluster,
  postgres: onePostgres,
  sqlite: oneSqlite,
};
const starts = Object.entries(topologies).flatMap(([name, start]) => (on === undefined || on === name ? start : []));
let lost = 0;
for (const start of starts) {
  const topology = await start();
  try {
    const reports: Report[] = [];
    for (const fault of faults) {
      if (!fault.name.includes(only) || (fault.needsCluster && !topology.replica)) continue;
      if (fault.on !== undefined && fault.on !== topology.on) continue;
      console.error(`${topology.name}: ${fault.name}`);
      const report = await drill(topology, fault);
      reports.push(report);
      const { tokens, revocations, codes } = report.losses;
      lost += tokens + revocations + codes + (report.recovered ? 0 : 1);
    }
    print(`${topology.name}, ${topology.version}, Node ${process.version}`, reports);
  } finally {
    await topology.stop();
  }
}
closeConnections();
if (lost > 0) process.exitCode = 1;
