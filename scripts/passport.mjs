// Passport with openid-client on Express, from the npm registry, for the tests of a release.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { cacheOf, onPath } from './debian-package.mjs';

const packages = ['express@5', 'express-session@1', 'openid-client@6', 'passport@0.7'];

/** The folder in which a program finds them; `undefined` where there is no npm. */
export function findPassport() {
  const dir = cacheOf('passport');
  if (existsSync(dir)) return { dir };
  if (!onPath('npm')) return undefined;
  const part = `${dir}.${process.pid}`;
  mkdirSync(part, { recursive: true });
  try {
    writeFileSync(`${part}/package.json`, '{ "type": "module" }');
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['install', ...quiet, ...packages], {
      cwd: part,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 180_000,
    });
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    throw error;
  }
  renameSync(part, dir);
  return { dir };
}
