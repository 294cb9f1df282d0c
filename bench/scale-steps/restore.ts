import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nobody } from '../../__tests__/helpers/postgres.ts';
import { until } from '../../__tests__/helpers/redis.ts';
import { client, exchanging, form, refreshing, tokensOf } from '../drills/requests.ts';
import { command, harbour, onePostgres, oneRedis, type Topology } from '../drills/topology.ts';
import { type Ask, Visitor } from '../drills/visitor.ts';
import type { Given } from './arguments.ts';

const { origin } = harbour;

/** The tokens that a person's client holds. */
interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

/** What a person did before the backup and after it, and what is stored of it once the backup is restored. */
interface Situation {
  readonly name: string;
  readonly before: boolean;
  readonly since?: 'refreshed' | 'revoked' | 'connected';
}

const situations: readonly Situation[] = [
  { name: 'connected before the backup, nothing since', before: true },
  { name: 'refreshed since', before: true, since: 'refreshed' },
  { name: 'disconnected since', before: true, since: 'revoked' },
  { name: 'connected since', before: false, since: 'connected' },
];

export async function run({ on, people }: Given<'restore'>): Promise<void> {
  const topology = await { redis: oneRedis, postgres: onePostgres }[on]();
  try {
    const held = new Map<Situation, Tokens[]>();
    for (const situation of situations)
      if (situation.before) held.set(situation, await each(people, (i) => connect(topology, `${situation.name} ${i}`)));
    const restore = await backUp(topology);
    for (const situation of situations) {
      const tokens = held.get(situation) ?? [];
      if (situation.since === 'connected')
        held.set(situation, await each(people, (i) => connect(topology, `${situation.name} ${i}`)));
      if (situation.since === 'refreshed')
        held.set(situation, await each(people, async (i) => refreshed(topology, tokens[i])));
      if (situation.since === 'revoked') await each(people, (i) => revoke(topology, tokens[i]));
    }
    const start = performance.now();
    await restore();
    await until('the service works', async () => (await topology.send(origin, userinfo('no token'))).status === 401);
    const seconds = (performance.now() - start) / 1000;
    console.log(
      `\n${topology.version}: from its end until requests succeed on the restored data, ${seconds.toFixed(1)} s`,
    );
    const rows = [];
    for (const [{ name }, tokens] of held) rows.push({ person: name, ...(await notice(topology, tokens)) });
    console.table(rows);
  } finally {
    await topology.stop();
  }
}

function each<T>(count: number, make: (i: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => make(i)));
}

const userinfo = (token: string | undefined): Ask => ({ path: '/api/oauth/userinfo', token });

async function connect(topology: Topology, person: string): Promise<Tokens> {
  const visitor = new Visitor((ask) => topology.send(origin, ask), origin, encodeURIComponent(person));
  const result = await visitor.signIn(client);
  if ('stopped' in result) throw new Error(`${result.stopped.status}: ${result.stopped.text}`);
  return tokensOf((await topology.send(origin, exchanging(result.code))).text);
}

async function refreshed(topology: Topology, tokens: Tokens | undefined): Promise<Tokens> {
  return tokensOf((await topology.send(origin, refreshing(tokens?.refresh ?? ''))).text);
}

async function revoke(topology: Topology, tokens: Tokens | undefined): Promise<void> {
  const { status } = await topology.send(origin, {
    path: '/api/oauth/revoke',
    form: form({ token: tokens?.refresh ?? '' }),
  });
  if (status !== 200) throw new Error(`a revocation got ${status}`);
}

/** What each of these people's clients gets: with its access token, then with its refresh token. */
async function notice(topology: Topology, tokens: readonly Tokens[]) {
  const statuses = async (asks: readonly Ask[]): Promise<string> => {
    const answers = await Promise.all(asks.map((ask) => topology.send(origin, ask)));
    const kinds = Map.groupBy(answers, ({ status }) => status);
    return [...kinds].map(([status, all]) => `${all.length} × ${status}`).join(', ');
  };
  return {
    'last access token': await statuses(tokens.map(({ access }) => userinfo(access))),
    'last refresh token': await statuses(tokens.map(({ refresh }) => refreshing(refresh))),
  };
}

/** Copies the files of the database while it runs, as its manual says. Returns what ends it and starts it with the copy. */
async function backUp({ postgres, home }: Topology): Promise<() => Promise<void>> {
  const copy = mkdtempSync(join(tmpdir(), 'campus-backup-'));
  const dir = postgres?.dir ?? (await command(home, 'CONFIG', 'GET', 'dir')).replace(/^dir,/, '');
  const take = (from: string, to: string): void => void execFileSync('cp', ['-rp', `${from}/.`, to]);
  if (postgres) {
    const admin = postgres.pool({ max: 1 });
    const session = await admin.connect();
    await session.query(`select pg_backup_start('bench', true)`);
    take(dir, copy);
    const { rows } = await session.query('select labelfile from pg_backup_stop(false)');
    take(join(dir, 'pg_wal'), join(copy, 'pg_wal'));
    session.release();
    await admin.end();
    rmSync(join(copy, 'postmaster.pid'));
    const label = join(copy, 'backup_label');
    writeFileSync(label, String(rows[0]?.labelfile));
    if (nobody.uid !== undefined) chownSync(label, nobody.uid, nobody.gid);
  } else take(dir, copy);
  return async () => {
    const database = postgres ?? home;
    await database?.kill();
    execFileSync('find', [dir, '-mindepth', '1', '-delete']);
    take(copy, dir);
    rmSync(copy, { recursive: true });
    await database?.start();
  };
}
