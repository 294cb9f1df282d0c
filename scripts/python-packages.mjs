// Packages from the Python package index, for the tests of a release.
import { execFileSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { cacheOf, onPath } from './debian-package.mjs';

/** Python, with the environment in which it finds the packages; `undefined` where there is no Python with pip. */
export function findPython(name, packages) {
  const bin = onPath('python3');
  const cache = cacheOf(name);
  if (!bin) return undefined;
  if (!existsSync(cache)) {
    const part = `${cache}.${process.pid}`;
    const options = ['--quiet', '--disable-pip-version-check', '--target', part];
    try {
      execFileSync(bin, ['-m', 'pip', 'install', ...options, ...packages], {
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
