// Finds (or gets) a real redis-server. No root, no service, no system change.
// Order: REDIS_URL (used by callers, not here) > REDIS_SERVER_BIN > redis-server / valkey-server on PATH
//        > cached copy > private apt download (Debian / Ubuntu, any user) > an error that says what to do.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheOf, librariesOf, onPath, unpack } from './debian-package.mjs';
import { startCommand } from './start-command.mjs';
import { printHelp } from './help.mjs';

const cache = cacheOf('redis');

const usable = (bin, env) => {
  const r = spawnSync(bin, ['--version'], { encoding: 'utf8', env: { ...process.env, ...env } });
  return r.status === 0 ? /v=(\S+)/.exec(r.stdout)?.[1] : undefined;
};

function fromTree(dir, source) {
  const bin = ['redis-server', 'valkey-server'].map((n) => join(dir, 'usr/bin', n)).find(existsSync);
  if (!bin) return undefined;
  const env = librariesOf(dir);
  const version = usable(bin, env);
  return version && { bin, env, version, source };
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
    const got = unpack('redis-server', cache) && fromTree(cache, 'apt (unpacked under node_modules/.cache)');
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
  printHelp(`usage: node scripts/redis-binary.mjs

Finds or gets redis-server, and prints the command that starts it.
  REDIS_SERVER_BIN  of the environment comes first`);
  const t = performance.now();
  const r = findRedis();
  console.log(
    `redis-server ${r.version} from ${r.source}: ${startCommand(r.bin, r.env)} (${Math.round(performance.now() - t)} ms)`,
  );
}
