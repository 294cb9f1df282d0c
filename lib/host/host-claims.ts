import type { JsonObject, JsonValue } from '../kernel/json.ts';
import type { Member, Site, MaybePromise } from './school-platform.ts';
import type { OnFault } from '../observe/events.ts';
import { isPlain, kindOf } from '../kernel/validate.ts';
import { faultWrapper } from '../observe/faults-to-503.ts';

/** The claims that the host adds to UserInfo and the ID token. */
export type AddedClaims = (site: Site, member: Member, scopes: readonly string[]) => Promise<JsonObject>;

const maxClaims = 50;
const maxBytes = 4096;
const maxDepth = 10;
const maxNameLength = 200;

/** Printable ASCII with a namespace before its first colon or slash. No registered claim has such a name. RFC 7519 section 4.2. */
const namespaced = /^[^\s:/"\\]+[:/][\x21\x23-\x5b\x5d-\x7e]+$/;

/** Without the option there is nothing to add. `told` are the claims that have a text on the consent page. */
export function addedClaims(claims: HostClaims | undefined, told: readonly string[], onFault: OnFault): AddedClaims {
  if (!claims) return async () => ({});
  const wrap = faultWrapper(onFault);
  return wrap('claims', async (site: Site, member: Member, scopes: readonly string[]) =>
    checkClaims(await claims({ site, member, scopes }), told),
  );
}

/** @throws TypeError that names the wrong claim and what it must be */
function checkClaims(returned: unknown, told: readonly string[]): JsonObject {
  if (returned === undefined || returned === null) return {};
  if (!isPlain(returned)) throw new TypeError(`claims() must return an object of claims, not ${kindOf(returned)}`);
  const entries = Object.entries(returned).filter(([, value]) => value !== undefined && value !== null);
  if (entries.length > maxClaims) {
    throw new TypeError(`claims() returned ${entries.length} claims; there may be at most ${maxClaims}`);
  }
  for (const [name, value] of entries) {
    const what = `claims() returned the claim ${JSON.stringify(name)}`;
    if (!isNamespaced(name)) {
      throw new TypeError(
        `${what}; the name of an added claim must be namespaced, in printable ASCII and of at most ${maxNameLength} characters, for example "https://school.example/plan" or "school:plan"`,
      );
    }
    // The consent page would leave it out.
    if (told.length > 0 && !told.includes(name)) throw new TypeError(`${what}; pages.texts must have sees.${name}`);
    const wrong = notJson(value, maxDepth);
    if (wrong !== undefined) throw new TypeError(`${what} with ${wrong}; a claim must be JSON`);
  }
  const text = JSON.stringify(Object.fromEntries(entries));
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes)
    throw new TypeError(`claims() returned ${bytes} bytes of JSON; there may be at most ${maxBytes}`);
  // A copy: what the host keeps and changes later is not what was checked.
  return JSON.parse(text);
}

function isNamespaced(name: string): boolean {
  if (name.length > maxNameLength || !/^[\x21-\x7e]+$/.test(name) || !namespaced.test(name)) return false;
  return !/^https?:/.test(name) || (/^https?:\/\/[^/]/.test(name) && URL.canParse(name));
}

/** What in a value is not JSON; `undefined` if all of it is. */
function notJson(value: unknown, depth: number): string | undefined {
  if (depth === 0) return `more than ${maxDepth} levels`;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value);
  const members = isPlain(value) ? Object.values(value).filter((member) => member !== undefined) : undefined;
  const inner = Array.isArray(value) ? value : members;
  if (inner === undefined) return kindOf(value);
  for (const each of inner) {
    const wrong = notJson(each, depth - 1);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** The input of `claims`. */
export interface ClaimsRequest<School extends Site = Site, Person extends Member = Member> {
  /** The site that the claims are about. */
  readonly site: School;
  /** The person that they are about. */
  readonly member: Person;
  /** The scopes of the access token that is used at UserInfo or issued with the ID token. */
  readonly scopes: readonly string[];
}

/**
 * Returns claims of the host, for UserInfo and the ID token alike. It is called for each of them, and only if the scope
 * `openid` was granted.
 *
 * A name must be namespaced, that is, contain `:` or `/`: `https://school.example/plan`, `harbour:plan`. No registered claim
 * does, so none can be overwritten (RFC 7519 section 4.2). There may be at most 50 claims, of at most 4,096 bytes of JSON
 * together. A claim of `undefined` or `null` is left out. Anything else that is wrong, an error, or no result within 10
 * seconds is a fault (503): there are never tokens without the claims.
 */
export type HostClaims<School extends Site = Site, Person extends Member = Member> = (
  request: ClaimsRequest<School, Person>,
) => MaybePromise<Readonly<Record<string, JsonValue | undefined>> | null | undefined>;
