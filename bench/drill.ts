import { readArguments } from './support/arguments.ts';
import { faults, type Times } from './drills/faults.ts';
import { drillAll } from './drills/run.ts';
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
const times: Times = quick ? { long: 2000, hang: 5000 } : { long: 10_000, hang: 60_000 };
const topologies: Readonly<Record<string, () => Promise<Topology>>> = {
  redis: oneRedis,
  cluster: redisCluster,
  postgres: onePostgres,
  sqlite: oneSqlite,
};
const starts = Object.entries(topologies).flatMap(([name, start]) => (on === undefined || on === name ? start : []));
let lost = 0;
for (const start of starts)
  lost += await drillAll(
    start,
    faults.filter(({ name }) => name.includes(only)),
    times,
  );
closeConnections();
if (lost > 0) process.exitCode = 1;
