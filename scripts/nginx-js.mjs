// nginx with its module for JavaScript, unpacked from the packages of Debian or Ubuntu.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cacheOf, librariesOf, unpack } from './debian-package.mjs';

const cache = cacheOf('nginx-js');
const bin = join(cache, 'usr/sbin/nginx');

/** The program, its module and the environment that it needs; `undefined` where there is no apt. */
export function findNginxJs() {
  if (!existsSync(bin)) unpack(['nginx', 'libnginx-mod-http-js'], cache);
  const jsModule = join(cache, 'usr/lib/nginx/modules/ngx_http_js_module.so');
  return existsSync(bin) ? { bin, jsModule, env: librariesOf(cache) } : undefined;
}
