// Authlib and Flask, from the Python package index, for the tests of a release.
import { execFileSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { cacheOf, onPath } from './debian-package.mjs';

const cache = cacheOf('authlib');

/** Python, with the environment in which it finds them; `undefined` where there is no Python with pip. */
export function findAuthlib() {
  const bin = onPath('python3');
  if (!bin) return undefined;
  if (!existsSync(cache)) {
    const part = `${cache}.${process.pid}`;
    const options = ['--quiet', '--disable-pip-version-check', '--target', part];
    try {
      execFileSync(bin, ['-m', 'pip', 'install', ...options, 'authlib==1.9.*', 'flask==3.*', 'requests==2.*'], {
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: 180_000,
      });
    } catch (error) {
      rmSync(part, { recursive: true, force: true });
      if (String(error.stderr).includes('No module named pip')) return undefined;
      throw error;
    }
    renameSync(part, cache);
  }
  return { bin, env: { PYTHONPATH: cache, PYTHONDONTWRITEBYTECODE: '1' } };
}
