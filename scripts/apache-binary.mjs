// Apache with mod_auth_openidc, unpacked from the packages of Debian or Ubuntu.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cacheOf, librariesOf, unpack } from './debian-package.mjs';

const cache = cacheOf('apache');
const bin = join(cache, 'usr/sbin/apache2');

/** The program, the folder of its modules and the environment that it needs; `undefined` where there is no apt. */
export function findApache() {
  if (!existsSync(bin)) unpack(['apache2-bin', 'libapache2-mod-auth-openidc'], cache);
  return existsSync(bin)
    ? { bin, modules: join(cache, 'usr/lib/apache2/modules'), env: librariesOf(cache) }
    : undefined;
}
