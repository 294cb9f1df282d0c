// A program with go-oidc and golang.org/x/oauth2, from the Go module proxy, for the tests of a release.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheOf, onPath } from './debian-package.mjs';

const usual = '/usr/local/go/bin/go';

/** What go-oidc needs. */
const oldest = 26;

/** The `go` command; `undefined` where there is none, or one that is too old for go-oidc. */
export function findGo() {
  const bin = onPath('go') ?? (existsSync(usual) ? usual : undefined);
  if (bin === undefined) return undefined;
  const version = execFileSync(bin, ['env', 'GOVERSION'], { encoding: 'utf8' });
  const [, minor = '0'] = /^go1\.(\d+)/.exec(version) ?? [];
  return Number(minor) < oldest ? undefined : { bin };
}

/** Builds the program, with the modules that `go.sum` of the folder names, and returns where it is. */
export function buildGo({ bin }, folder, source) {
  const dir = cacheOf('go-oidc');
  mkdirSync(dir, { recursive: true });
  for (const name of ['go.mod', 'go.sum']) copyFileSync(join(folder, name), join(dir, name));
  writeFileSync(join(dir, 'main.go'), source);
  const env = { ...process.env, GOFLAGS: '-mod=readonly', GOTOOLCHAIN: 'local' };
  execFileSync(bin, ['build', '-o', 'sign-in', '.'], {
    cwd: dir,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 240_000,
  });
  return join(dir, 'sign-in');
}
