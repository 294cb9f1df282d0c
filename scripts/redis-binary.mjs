// Finds (or gets) a real redis-server. No root, no service, no system change.
// Order: REDIS_URL (used by callers, not here) > REDIS_SERVER_BIN > redis-server / valkey-server on PATH
//        > cached copy > private apt download (Debian / Ubuntu, any user) > an error that says what to do.
import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const cache = join(root, 'node_modules', '.cache', 'redis');

const usable = (bin, env) => {
  const r = spawnSync(bin, ['--version'], { encoding: 'utf8', env: { ...process.env, ...env } });
  return r.status === 0 ? /v=(\S+)/.exec(r.stdout)?.[1] : undefined;
};
const onPath = (name) => {
  for (const dir of (process.env.PATH ?? '').split(delimiter)) {
    const p = join(dir, name);
    try {
      accessSync(p, constants.X_OK);
      return p;
    } catch {
      /* next */
    }
  }
  return undefined;
};

function fromTree(dir, source) {
  const bin = ['redis-server', 'valkey-server'].map((n) => join(dir, 'usr/bin', n)).find(existsSync);
  if (!bin) return undefined;
  const lib = join(dir, 'usr/lib');
  const libs = existsSync(lib)
    ? readdirSync(lib)
        .filter((d) => d.endsWith('-linux-gnu'))
        .map((d) => join(lib, d))
    : [];
  const env = { LD_LIBRARY_PATH: [...libs, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':') };
  const version = usable(bin, env);
  return version && { bin, env, version, source };
}

function fromApt() {
  if (process.platform !== 'linux' || !onPath('apt-get') || !onPath('dpkg-deb')) return undefined;
  const tmp = `${cache}.${process.pid}`;
  rmSync(tmp, { recursive: true, force: true });
  for (const d of ['state/lists/partial', 'cache/archives/partial', 'root'])
    mkdirSync(join(tmp, d), { recursive: true });
  const o = [
    `Dir::State=${tmp}/state`,
    'Dir::State::status=/var/lib/dpkg/status',
    `Dir::Cache=${tmp}/cache`,
    'APT::Sandbox::User=',
    'Acquire::Languages=none',
    'Debug::NoLocking=1',
    'Acquire::Retries=2',
    'Acquire::http::Timeout=20',
  ].flatMap((x) => ['-o', x]);
  const run = (...a) =>
    execFileSync('apt-get', [...o, '-qq', ...a], { stdio: ['ignore', 'pipe', 'pipe'], timeout: 180_000 });
  try {
    run('update');
    run('-y', '--no-install-recommends', '--download-only', 'install', 'redis-server');
    for (const f of readdirSync(join(tmp, 'cache/archives')).filter((name) => name.endsWith('.deb'))) {
      execFileSync('dpkg-deb', ['-x', join(tmp, 'cache/archives', f), join(tmp, 'root')]);
    }
    mkdirSync(dirname(cache), { recursive: true });
    rmSync(cache, { recursive: true, force: true });
    renameSync(join(tmp, 'root'), cache);
  } finally {
    rmSync(tmp, { recursive: true, force: true });
  }
  return fromTree(cache, 'apt (unpacked under node_modules/.cache)');
}

export function findRedis({ get = true } = {}) {
  const given = process.env.REDIS_SERVER_BIN;
  if (given) {
    const version = usable(given, {});
    if (!version) throw new Error(`REDIS_SERVER_BIN=${given} does not run`);
    return { bin: given, env: {}, version, source: 'REDIS_SERVER_BIN' };
  }
  for (const name of ['redis-server', 'valkey-server']) {
    const bin = onPath(name);
    const version = bin && usable(bin, {});
    if (version) return { bin, env: {}, version, source: 'PATH' };
  }
  const cached = existsSync(cache) ? fromTree(cache, 'cache') : undefined;
  if (cached || !get) return cached;
  let why = '';
  try {
    const got = fromApt();
    if (got) return got;
  } catch (e) {
    why = `\n(apt-get said: ${String(e.stderr ?? e.message)
      .trim()
      .split('\n')
      .at(-1)})`;
  }
  throw new Error(
    'No redis-server found. Set REDIS_URL, or REDIS_SERVER_BIN, or install one: ' +
      '"apt-get install redis-server" (Debian, Ubuntu), "dnf install valkey" (Fedora), "apk add redis" (Alpine), "brew install redis" (macOS).' +
      why,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const t = performance.now();
  const r = findRedis();
  console.log(`redis-server ${r.version} from ${r.source}: ${r.bin} (${Math.round(performance.now() - t)} ms)`);
}
