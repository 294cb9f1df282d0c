import { type JsonMembers, objectsOf, textOf, textsOf } from '../../kernel/json.ts';
import { coreFindings } from '../../diagnose/findings.ts';
import { paths } from '../../http/paths.ts';
import { adviceOn } from './advice.ts';
import { documentProblem } from './documents.ts';
import { type Check, type Exam, firstOf, manyRequests, verdict } from './exam.ts';

const keysFix =
  'check the option keys of createCampus, and what else could answer this address; replace a leaked key with campus-oidc keys rotate --force';
const cacheFix = 'let caches keep documents no longer than Cache-Control says: a rotation allows one hour';
const rs256Fix = 'run campus-oidc keys rotate --alg RS256 an hour after it was published, to sign with it';
const nextFix = 'run campus-oidc keys rotate when a rotation is due';

/** Keys: whether all processes have the same, and whether a cache keeps old ones. */
export async function* keyChecks({ probe, server }: Exam): AsyncGenerator<Check> {
  const address = textOf(server, 'jwks_uri') ?? paths.jwks;
  const answer = await probe(address);
  const keys = objectsOf(answer.json, 'keys');
  const kids = keys.map((key) => textOf(key, 'kid') ?? '');
  const algorithms = textsOf(server, 'id_token_signing_alg_values_supported');
  const signs = algorithms.length > 0;
  const withoutKey = algorithms.find((name) => !keys.some((key) => textOf(key, 'alg') === name));
  const wrong = firstOf(
    documentProblem(answer),
    keys.some((key) => 'd' in key) && 'they have a PRIVATE part: change them now',
    new Set(kids).size < kids.length && `a name is duplicated: ${kids.join(', ')}`,
    signs && keys.length === 0 && 'the list is empty, but the metadata says that ID tokens are signed',
    withoutKey !== undefined && `no key is for ${withoutKey}, which the metadata lists for ID tokens`,
  );
  yield verdict('keys', wrong && `the keys: ${wrong}`, `keys: ${kids.join(', ') || 'none'}`, adviceOn(answer, keysFix));
  // Queries that no cache has seen reach the application, and all of its processes.
  const addresses = Array.from({ length: manyRequests }, (_, i) => `${address}?fresh=${Date.now()}-${i}`);
  const answers = await Promise.all(addresses.map((each) => probe(each)));
  const fresh = answers.map(({ json }) => objectsOf(json, 'keys')).filter((found) => found.length > 0);
  const [first = []] = fresh;
  const other = fresh.find((found) => !overlaps(found, first));
  yield verdict(
    'processes-keys',
    other &&
      `the processes at this origin have different signing keys: ${namesOf(first)} here, ${namesOf(other)} there`,
    'all processes have the same signing keys',
    coreFindings['keys-differ'][1],
  );
  const age = Number(answer.headers.get('age') ?? 0);
  const stale = firstOf(
    fresh.length > 0 &&
      !fresh.some((found) => namesOf(found) === namesOf(keys)) &&
      `a cache has ${namesOf(keys)}, the application ${namesOf(first)}`,
    age > 3600 && `a cache has kept the keys for ${age} seconds`,
  );
  yield verdict('keys-fresh', stale && `the keys are stale: ${stale}`, 'no cache keeps old keys', cacheFix);
  const silent = keys.filter((key) => textOf(key, 'alg') === 'RS256').map((key) => textOf(key, 'kid') ?? '');
  if (signs && silent.length > 0 && !algorithms.includes('RS256')) {
    const text = `no RS256 key signs, although ${silent.join(', ')} is published: a sign-in client that expects RS256 gets ES256`;
    yield { id: 'keys-rs256', mark: 'info', text, fix: rs256Fix };
  }
  // RS256 is beside the key that every client can verify.
  if (keys.filter((key) => textOf(key, 'alg') !== 'RS256').length === 1)
    yield { id: 'keys-next', mark: 'info', text: 'no next key is published', fix: nextFix };
}

/** Names alone are not enough: a key that each process makes for itself may have the same one everywhere. */
function nameOf(key: JsonMembers): string {
  return `${textOf(key, 'kid') ?? ''} (${(textOf(key, 'x') ?? textOf(key, 'n') ?? '').slice(0, 8)}…)`;
}

function namesOf(keys: readonly JsonMembers[]): string {
  return keys.map(nameOf).join(', ');
}

/** As in a rotation. */
function overlaps(some: readonly JsonMembers[], others: readonly JsonMembers[]): boolean {
  const names = new Set(others.map(nameOf));
  return some.some((key) => names.has(nameOf(key)));
}
