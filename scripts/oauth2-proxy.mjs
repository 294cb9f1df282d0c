// oauth2-proxy, for the tests of a release: `go install github.com/oauth2-proxy/oauth2-proxy/v7@v7.15.6` takes minutes, so it is not built here.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { onPath } from './debian-package.mjs';

/** The program; `undefined` where it is not installed. */
export function findOauth2Proxy() {
  const usual = join(process.env.GOBIN ?? join(homedir(), 'go/bin'), 'oauth2-proxy');
  const bin = onPath('oauth2-proxy') ?? (existsSync(usual) ? usual : undefined);
  return bin === undefined ? undefined : { bin };
}
