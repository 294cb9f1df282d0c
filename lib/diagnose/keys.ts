import type { Finding } from '../contracts/finding.ts';
import type { CheckedKeys, KeyRing } from '../protocol/keys.ts';
import { found } from './findings.ts';

/** The keys of a site, and the secrets of all. */
export function* keyFindings(ring: KeyRing, keys: CheckedKeys): Generator<Finding> {
  for (const failure of ring.failures()) yield found('keys-failing', failure);
  const { signing, published, cookies } = keys;
  const all = [...signing, ...published];
  const kids = all.map(({ kid }) => kid).join(', ');
  if (signing.length === 0) yield found('keys-none-signing', `no key signs; published: ${kids}`);
  else if (all.length === 1) yield found('keys-no-next', `the only key is ${kids}`);
  const pairs = new Map<string, string>();
  for (const { x, kid } of all) {
    const other = pairs.get(x);
    if (other !== undefined) yield found('keys-repeated', `${other} and ${kid} are the same key`);
    pairs.set(x, kid);
  }
  yield* cookieFindings(cookies);
}

/** Counted from 1, as people do; a secret is not shown. */
function* cookieFindings(cookies: readonly string[]): Generator<Finding> {
  for (const [i, secret] of cookies.entries()) {
    const name = `cookie secret ${i + 1} of ${cookies.length}`;
    const kinds = new Set(secret).size;
    if (secret.length < 32 || kinds < 10) {
      yield found('cookies-weak', `${name} has ${secret.length} characters, ${kinds} of them different`);
    }
    if (cookies.indexOf(secret) < i) yield found('cookies-repeated', `${name} is duplicated`);
  }
  if (cookies.length > 3) yield found('cookies-many', `${cookies.length} secrets can sign cookies`);
}
