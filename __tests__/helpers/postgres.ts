import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { Pool, type PoolConfig } from 'pg';
import { findPostgres } from '../../scripts/postgres-binary.mjs';
import { freePort } from './free-port.ts';

/** A real PostgreSQL server of the test's own. */
export interface PostgresServer {
  readonly port: number;
  readonly url: string;
  readonly dir: string;
  /** Its first process, whose children serve connections. */
  pid(): number;
  /** A pool of connections to it. Their errors are ignored, and `stop` ends them. */
  pool(config?: PoolConfig): Pool;
  /** Ends it at once and without goodbye; what it has on disk stays. */
  kill(): Promise<void>;
  /** Starts it again where it was, perhaps with other settings. */
  start(settings?: readonly string[]): Promise<void>;
  /** Holds all its processes still, connections and all. */
  freeze(): void;
  /** Lets them go on. */
  thaw(): void;
  /** Ends it for good. */
  stop(): Promise<void>;
}

/** PostgreSQL refuses to run as root. */
export const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Nothing of a test must survive a power failure. */
const careless = ['fsync=off', 'full_page_writes=off'];

/** Starts a server on a free port, with settings such as `max_connections=20`. */
export async function startPostgres(settings: readonly string[] = careless): Promise<PostgresServer> {
  const bin = findPostgres();
  const dir = mkdtempSync(join(tmpdir(), 'campus-postgres-'));
  execFileSync('cp', ['-rp', `${templateOf(bin)}/.`, dir]);
  const port = await freePort();
  const pools: Pool[] = [];
  let child = await launch(bin, dir, port, settings);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return {
    port,
    url,
    dir,
    pool: (config = {}) => {
      const pool = new Pool({ connectionString: url, ...config });
      pool.on('error', () => {});
      pools.push(pool);
      return pool;
    },
    pid: () => child.pid ?? 0,
    kill: () => end('SIGKILL'),
    start: async (others = settings) => {
      child = await launch(bin, dir, port, others);
    },
    freeze: () => signalAll(child, 'SIGSTOP'),
    thaw: () => signalAll(child, 'SIGCONT'),
    stop: async () => {
      await Promise.all(pools.filter((pool) => !pool.ended).map((pool) => pool.end()));
      await end('SIGINT');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The folder of an empty database, made once: to copy it is much faster than to make it. */
function templateOf(bin: string): string {
  const version = execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' })
    .trim()
    .replaceAll(/\W+/g, '-');
  const template = join(import.meta.dirname, '../../node_modules/.cache', `${version}-${nobody.uid ?? userInfo().uid}`);
  if (existsSync(template)) return template;
  const dir = mkdtempSync(join(tmpdir(), 'campus-postgres-'));
  if (nobody.uid !== undefined) chownSync(dir, nobody.uid, nobody.gid);
  const args = [
    '-D',
    dir,
    '-U',
    'postgres',
    '-A',
    'trust',
    '--no-sync',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-instructions',
  ];
  execFileSync(join(bin, 'initdb'), args, { ...nobody, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  mkdirSync(dirname(template), { recursive: true });
  const copy = `${template}.${process.pid}`;
  execFileSync('cp', ['-rp', dir, copy]);
  rmSync(dir, { recursive: true });
  // Another process may have made it meanwhile.
  if (existsSync(template)) rmSync(copy, { recursive: true });
  else renameSync(copy, template);
  return template;
}

/** Each connection has a process of its own, which no group of processes contains. */
function signalAll({ pid = 0 }: ChildProcess, signal: NodeJS.Signals): void {
  const parentOf = (name: string): number => {
    try {
      return Number(/\) \w (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1]);
    } catch {
      return 0;
    }
  };
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  for (const each of [pid, ...children.map(Number)]) process.kill(each, signal);
}

/** Starts the process and waits until it takes connections. */
async function launch(bin: string, dir: string, port: number, settings: readonly string[]): Promise<ChildProcess> {
  const all = ['listen_addresses=127.0.0.1', `unix_socket_directories=${dir}`, 'autovacuum_naptime=5s', ...settings];
  const args = ['-D', dir, '-p', String(port), ...all.flatMap((setting) => ['-c', setting])];
  const child = spawn(join(bin, 'postgres'), args, { ...nobody, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  await new Promise<void>((resolve, reject) => {
    const read = (bytes: Buffer): void => {
      log = (log + bytes.toString()).slice(-5000);
      if (log.includes('ready to accept')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`postgres ended with ${code}\n${log}`)));
  });
  return child;
}
