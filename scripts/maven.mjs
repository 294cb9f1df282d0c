import { onPath } from './debian-package.mjs';

/** The `mvn` command; `undefined` without it or Java. */
export function findMaven() {
  const bin = onPath('mvn');
  return bin === undefined || onPath('java') === undefined ? undefined : { bin };
}
