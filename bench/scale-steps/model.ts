import type { Given } from './arguments.ts';
import { type Figures, measured } from './figures.ts';

/** What a service of some size needs, in its busiest minute where it is a rate. */
export interface Sizing {
  readonly verifies: number;
  readonly refreshes: number;
  readonly signIns: number;
  /** Cores of server processes. */
  readonly serverCores: number;
  /** Cores that the primaries of the database use, before replicas. */
  readonly databaseCores: number;
  /** GB that are stored, before headroom. */
  readonly storedGb: number;
  /** Database servers, each with its replicas. */
  readonly shards: number;
  readonly shardedBecause: 'memory or disk' | 'cores' | 'not needed';
  /** MB that the primaries write to their logs each second. */
  readonly logMb: number;
  /** Writes to disks of the primaries each second: of 8 kB pages of the log, and synchronizations. */
  readonly writeIops: number;
  readonly costOfMonth: number;
}

/** What one request of each kind costs, times how many there are. */
function sum(rates: readonly [number, number, number], of: Figures['serverCpu']): number {
  const [verifies, refreshes, signIns] = rates;
  return verifies * of.verify + refreshes * of.refresh + signIns * of.signIn;
}

/** From what was measured on one machine to a service of any size. All of it is arithmetic: nothing is measured here. */
export function sizeOf(given: Given<'model'>, figures: Figures): Sizing {
  const { connections, peak, load, replicas, headroom, on } = given;
  const atPeak = (aDay: number): number => ((connections * aDay) / 86_400) * peak;
  const rates = [
    atPeak(given['verifies-a-day']),
    atPeak(given['refreshes-a-day']),
    atPeak(given['sign-ins-a-day']),
  ] as const;
  const [verifies, refreshes, signIns] = rates;
  const serverCores = Math.ceil(sum(rates, figures.serverCpu) / 1e6 / load);
  const databaseCores = sum(rates, figures.databaseCpu) / 1e6 / load;
  const storedGb = (connections * figures.bytes + refreshes * figures.graceSeconds * figures.replayBytes) / 1e9;
  const forSize = Math.ceil((storedGb * headroom) / (on === 'redis' ? given['memory-gb'] : given['disk-gb']));
  // Redis runs commands on one core.
  const forCores = Math.ceil(databaseCores / (on === 'redis' ? 1 : given['server-cores']));
  const shards = Math.max(1, forSize, forCores);
  const logBytes = sum(rates, figures.logBytes);
  // Redis synchronizes its log once a second; PostgreSQL at each commit, or once for several.
  const syncs = figures.syncs === undefined ? shards : sum(rates, figures.syncs);
  const copies = 1 + replicas;
  const gbCost = on === 'redis' ? given['gb-cost'] : given['disk-cost'];
  return {
    verifies,
    refreshes,
    signIns,
    serverCores,
    databaseCores,
    storedGb,
    shards,
    shardedBecause: shards === 1 ? 'not needed' : forSize >= forCores ? 'memory or disk' : 'cores',
    logMb: logBytes / 1e6,
    writeIops: logBytes / 8192 + syncs,
    costOfMonth:
      (serverCores + Math.max(shards, databaseCores) * copies) * given['core-cost'] +
      storedGb * headroom * copies * gbCost,
  };
}

/** The rules that Keycloak publishes, for the same rates: a vCPU for 120 refreshes a second, 1,400 write IOPS for 100 logins, logouts and refreshes. */
const keycloak = { refreshesOfCore: 120, iopsOfRequest: 14 };

export function run(given: Given<'model'>): void {
  const figures = measured[given.on];
  const size = sizeOf(given, figures);
  const whole = (value: number): string => Math.round(value).toLocaleString('en');
  const from = `measured: ${figures.measured}`;
  console.log(
    '\nAssumed: the options. Everything else in the first table is computed from them and from the second one.',
  );
  console.table({
    'verifications a second, at the peak': whole(size.verifies),
    'refreshes a second, at the peak': whole(size.refreshes),
    'sign-ins a second, at the peak': whole(size.signIns),
    'cores of server processes': whole(size.serverCores),
    'cores of the database, primaries': size.databaseCores.toFixed(1),
    'GB stored, without headroom': whole(size.storedGb),
    'database servers': `${size.shards}, with ${given.replicas} replicas each`,
    'sharded because of': size.shardedBecause,
    'MB of log a second, primaries': size.logMb.toFixed(1),
    'write IOPS, primaries': whole(size.writeIops),
    'price of a month': whole(size.costOfMonth),
  });
  console.log(from);
  console.table({
    'server CPU µs': figures.serverCpu,
    'database CPU µs': figures.databaseCpu,
    'bytes of log': figures.logBytes,
    ...(figures.syncs && { synchronizations: figures.syncs }),
  });
  console.log(
    `bytes of a connection: ${figures.bytes}; of the response of a refresh, for ${figures.graceSeconds} s: ${figures.replayBytes}`,
  );
  console.log('\nThe published rules of Keycloak, for the same refreshes and sign-ins; not measured here');
  console.table({
    'vCPU for the refreshes': whole(size.refreshes / keycloak.refreshesOfCore),
    'write IOPS for refreshes and sign-ins': whole((size.refreshes + size.signIns) * keycloak.iopsOfRequest),
  });
  console.log('Zitadel publishes 1,806 JWT grants a second for a whole installation, so it has no figure for a core.');
}
