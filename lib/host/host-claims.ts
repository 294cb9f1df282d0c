import type { JsonObject, JsonValue } from '../kernel/json.ts';
import type { Member, Site, MaybePromise } from './school-platform.ts';
import type { OnFault } from '../observe/events.ts';
import { isPlain, kindOf } from '../kernel/validate.ts';
import { faultWrapper } from '../observe/faults-to-503.ts';
import { hourlyFaults } from '../observe/hourly-faults.ts';
import { wrongReturn } from './check-returns.ts';
import { isMissing } from './claim-values.ts';
import { type MemberProfile, profileOf } from './member-profile.ts';
import { isReleased, isToldAlone, type StandardClaim, standardClaim } from './standard-claims.ts';

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
  const [wrap, report] = [faultWrapper(onFault), hourlyFaults(onFault)];
  return wrap('claims', async (site: Site, member: Member, scopes: readonly string[]) => {
    const added: [string, JsonValue][] = [];
    for (const [name, value] of entriesOf(await claims({ site, member, scopes }))) {
      const claim = standardClaim(name);
      const problem = isNamespaced(name) ? undefined : problemOf(name, claim, value, told);
      if (problem) {
        const left = `claims returned ${JSON.stringify(name.slice(0, maxNameLength))}, which is left out`;
        report({ of: 'claims', name }, left, () => problem);
      } else if (claim) {
        if (!isMissing(value) && isReleased(claim, scopes)) added.push([name, toJson(name, value)]);
      } else {
        added.push([name, toNamespaced(name, value, told)]);
      }
    }
    const { kept, left } = withoutLargest(withVerification(Object.fromEntries(added), profileOf(member)));
    for (const [name, bytes] of left) {
      const cause = new Error(
        `claims() returned more than ${maxBytes} bytes of JSON for the member ${JSON.stringify(member.id)}; ${JSON.stringify(name)} with ${bytes} bytes is left out`,
      );
      report({ of: site.id, name: `${member.id} ${name}` }, 'claims returned too much', () => cause);
    }
    return kept;
  });
}

/** @throws TypeError for what is no object of claims, or for too many of them */
function entriesOf(returned: unknown): [string, unknown][] {
  if (returned === undefined || returned === null) return [];
  if (!isPlain(returned)) throw new TypeError(`claims() must return an object of claims, not ${kindOf(returned)}`);
  const entries = Object.entries(returned).filter(([, value]) => value !== undefined && value !== null);
  if (entries.length > maxClaims) {
    throw new TypeError(`claims() must return at most ${maxClaims} claims, not ${entries.length}`);
  }
  return entries;
}

/** Why a claim without a namespace cannot be there. */
function problemOf(
  name: string,
  claim: StandardClaim | undefined,
  value: unknown,
  told: readonly string[],
): TypeError | undefined {
  if (!claim) {
    return new TypeError(
      `claims() must return names of OpenID Connect Core section 5.1, "groups" or namespaced names such as "school:plan" (at most ${maxNameLength} ASCII characters), not ${JSON.stringify(name)}`,
    );
  }
  if (isMissing(value)) return undefined;
  if (!claim.isValid(value)) return wrongReturn('claims()', name, value, claim.rule);
  return told.length > 0 && isToldAlone(name) && !told.includes(name) ? untold(name) : undefined;
}

function untold(name: string): TypeError {
  return new TypeError(`claims() must return only claims with a text; add sees.${name} to pages.texts`);
}

/** @throws TypeError for a value that is not JSON, or that the consent page would not tell */
function toNamespaced(name: string, value: unknown, told: readonly string[]): JsonValue {
  if (told.length > 0 && !told.includes(name)) throw untold(name);
  return toJson(name, value);
}

/** A copy: what the host keeps and changes later is not what was checked. @throws TypeError for what is not JSON */
function toJson(name: string, value: unknown): JsonValue {
  const wrong = notJson(value, maxDepth);
  if (wrong === undefined) return JSON.parse(JSON.stringify(value));
  throw new TypeError(`claims() must return JSON, but the claim ${JSON.stringify(name)} has ${wrong}`);
}

/** What is verified is the address or number that is returned with it, and no other. */
function withVerification(added: JsonObject, { email }: MemberProfile): JsonObject {
  const { email_verified: verified, phone_number_verified: phoneVerified, ...rest } = added;
  const hasEmail = rest['email'] !== undefined && rest['email'] !== email;
  const isVerified = verified ?? (hasEmail ? false : undefined);
  return {
    ...rest,
    ...(isVerified !== undefined && (rest['email'] ?? email) !== undefined && { email_verified: isVerified }),
    ...(phoneVerified !== undefined && rest['phone_number'] !== undefined && { phone_number_verified: phoneVerified }),
  };
}

/** What fits, and what does not, with its bytes: the largest claims. */
function withoutLargest(claims: JsonObject): { readonly kept: JsonObject; readonly left: [string, number][] } {
  const left: [string, number][] = [];
  const kept = { ...claims };
  const sizes = Object.entries(claims).map(([name, value]): [string, number] => [name, bytesOf(value ?? null)]);
  for (const each of sizes.sort(([, a], [, b]) => b - a)) {
    if (bytesOf(kept) <= maxBytes) break;
    Reflect.deleteProperty(kept, each[0]);
    left.push(each);
  }
  return { kept, left };
}

function bytesOf(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value));
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
  /** The school that the claims are about. */
  readonly site: School;
  /** The person that they are about. */
  readonly member: Person;
  /** The scopes of the access token that is used at UserInfo or issued with the ID token. */
  readonly scopes: readonly string[];
}

/**
 * Returns your own claims for UserInfo and the ID token. It is called for each of the two, but only if the scope `openid` was granted.
 *
 * A name is a name of OpenID Connect Core section 5.1, `groups`, or a namespaced name with `:` or `/`: `https://school.example/plan`,
 * `harbour:plan`. The scope `profile` releases standard claims and `groups`. The scope `email` releases its claims. `phone_number` and
 * `address` need your own scopes `phone` and `address`. Claims with other names, such as `sub`, and standard claims of a wrong type are
 * dropped. The event `fault` names them once an hour.
 *
 * At most 50 claims are allowed. If they have more than 4,096 bytes of JSON together, the largest are dropped, with a fault. Claims with
 * the value `undefined` or `null` are omitted. A value that is not JSON, an error, or no result within 10 seconds is a fault (503).
 */
export type HostClaims<School extends Site = Site, Person extends Member = Member> = (
  request: ClaimsRequest<School, Person>,
) => MaybePromise<Readonly<Record<string, JsonValue | undefined>> | null | undefined>;
