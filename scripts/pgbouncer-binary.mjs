// Finds (or gets) a real PgBouncer. Order: PGBOUNCER_BIN > PATH > cached copy > private apt download > an error that says what to do.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { cacheOf, librariesOf, onPath, unpack } from './debian-package.mjs';

const cache = cacheOf('pgbouncer');

const usable = (bin, env = {}) => {
  const found = bin && spawnSync(bin, ['--version'], { encoding: 'utf8', env: { ...process.env, ...env } });
  const version = found && /PgBouncer (\d+)\.(\d+)/.exec(found.stdout ?? '');
  return version ? { bin, env, version: [Number(version[1]), Number(version[2])] } : undefined;
};
const unpacked = () => usable(join(cache, 'usr/sbin/pgbouncer'), librariesOf(cache));

/** The program, with the environment that it needs. */
export function findPgBouncer() {
  const found = usable(process.env.PGBOUNCER_BIN ?? onPath('pgbouncer')) ?? unpacked();
  const got = found ?? (unpack('pgbouncer', cache) ? unpacked() : undefined);
  if (got) return got;
  throw new Error('this test needs PgBouncer: install it, or set PGBOUNCER_BIN to the program');
}
