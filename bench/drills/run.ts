import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, Times } from './faults.ts';
import type { Losses } from './ledger.ts';
import { Load, type Seen } from './load.ts';
import type { Topology } from './topology.ts';

const devices = 15;

/** What is printed of a drill. */
interface Report extends Seen {
  readonly fault: string;
  readonly recovered: boolean;
  /** Memory of the server process with the highest peak: before, at most, after; megabytes. */
  readonly rss: readonly [before: number, peak: number, after: number];
  readonly losses: Losses;
}

async function drill(topology: Topology, fault: Fault, times: Times): Promise<Report> {
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

/** Runs those of the drills that are about this topology, one after the other, and prints what was seen. Returns how much was lost. */
export async function drillAll(
  start: () => Promise<Topology>,
  faults: readonly Fault[],
  times: Times,
): Promise<number> {
  const topology = await start();
  let lost = 0;
  try {
    const reports: Report[] = [];
    for (const fault of faults) {
      if ((fault.needsCluster && !topology.replica) || (fault.on !== undefined && fault.on !== topology.on)) continue;
      console.error(`${topology.name}: ${fault.name}`);
      const report = await drill(topology, fault, times);
      reports.push(report);
      const { tokens, revocations, codes } = report.losses;
      lost += tokens + revocations + codes + (report.recovered ? 0 : 1);
    }
    print(`${topology.name}, ${topology.version}, Node ${process.version}`, reports);
  } finally {
    await topology.stop();
  }
  return lost;
}
