// oauth2-proxy, built from the Go module proxy, for the tests of a release.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { cacheOf } from './debian-package.mjs';
import { findGo } from './go-oidc.mjs';

const version = 'v7.15.6';

/** The program; `undefined` where there is no Go, or one that is too old for it. The first build takes some minutes. */
export function findOauth2Proxy() {
  const dir = cacheOf(`oauth2-proxy-${version}`);
  const found = { bin: join(dir, 'oauth2-proxy') };
  if (existsSync(found.bin)) return found;
  const go = findGo();
  if (!go) return undefined;
  const part = `${dir}.${process.pid}`;
  mkdirSync(part, { recursive: true });
  const env = { ...process.env, GOBIN: part, GOTOOLCHAIN: 'local', GOFLAGS: '' };
  execFileSync(go.bin, ['install', `github.com/oauth2-proxy/oauth2-proxy/v7@${version}`], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 900_000,
  });
  renameSync(part, dir);
  return found;
}
