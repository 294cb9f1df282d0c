// Programs of Debian and Ubuntu for any user: a package and what it needs are downloaded and unpacked under node_modules/.cache.
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** The folder that a program is unpacked into. */
export const cacheOf = (name) => join(import.meta.dirname, '../node_modules/.cache', name);

export const onPath = (name) => {
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

/** The environment in which a program finds the libraries that were unpacked with it. */
export function librariesOf(dir) {
  const lib = join(dir, 'usr/lib');
  const libs = existsSync(lib)
    ? readdirSync(lib)
        .filter((d) => d.endsWith('-linux-gnu'))
        .map((d) => join(lib, d))
    : [];
  return { LD_LIBRARY_PATH: [...libs, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':') };
}

/** Unpacks packages, with what they need, into a folder; false where there is no apt. */
export function unpack(names, cache) {
  if (process.platform !== 'linux' || !onPath('apt-get') || !onPath('dpkg-deb')) return false;
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
    run('-y', '--no-install-recommends', '--download-only', 'install', ...[names].flat());
    for (const f of readdirSync(join(tmp, 'cache/archives')).filter((file) => file.endsWith('.deb'))) {
      execFileSync('dpkg-deb', ['-x', join(tmp, 'cache/archives', f), join(tmp, 'root')]);
    }
    mkdirSync(dirname(cache), { recursive: true });
    rmSync(cache, { recursive: true, force: true });
    renameSync(join(tmp, 'root'), cache);
  } finally {
    rmSync(tmp, { recursive: true, force: true });
  }
  return true;
}
