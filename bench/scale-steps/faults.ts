import { faults } from '../drills/faults.ts';
import { drillAll } from '../drills/run.ts';
import { onePostgres, redisCluster } from '../drills/topology.ts';
import type { Given } from './arguments.ts';

const names = new Set([
  'nothing',
  'Redis is killed and started again',
  'a planned failover',
  'PostgreSQL is killed and started again',
]);

export async function run({ pause }: Given<'faults'>): Promise<void> {
  const chosen = faults.filter(({ name }) => names.has(name));
  const times = { long: pause, hang: pause };
  const lost = (await drillAll(redisCluster, chosen, times)) + (await drillAll(onePostgres, chosen, times));
  if (lost > 0) process.exitCode = 1;
}
