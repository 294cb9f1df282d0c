import type { IdToken } from 'oidc-provider';
import type { Site } from '../host/school-platform.ts';
import type { OnFault } from '../observe/events.ts';
import { reportFault } from '../observe/faults-to-503.ts';
import { hourlyFaults } from '../observe/hourly-faults.ts';
import { parameterLimits } from './parameter-limits.ts';

/** What the token is about. */
interface IssuedFor {
  readonly site: Site;
  readonly memberId: string;
  /** The names of the claims that the host has added. */
  readonly added: readonly string[];
}

/** Issues an ID token. @throws TemporarilyUnavailable if nothing can be left out */
export type BoundedIssue = (token: IdToken, issue: () => Promise<string>, about: IssuedFor) => Promise<string>;

/** What UserInfo still has. Without `sub`, `org_id` and `roles` a client does not know whom it lets in. */
const dispensable = ['picture', 'name', 'email'] as const;

/**
 * Issues ID tokens that a client can send back as `id_token_hint`. From a longer one the host's own claims are left out, the largest first, then
 * those of a person who has a very long name, for example.
 */
export function boundedIssue(onFault: OnFault, limit: number = parameterLimits.id_token_hint): BoundedIssue {
  const report = hourlyFaults(onFault);
  return async (token, issue, { site, memberId, added }) => {
    let issued = await issue();
    if (issued.length <= limit) return issued;
    const before = await token.payload();
    const error = (claim: string, what: string): Error => {
      const size = `the claim ${JSON.stringify(claim)} with ${bytesOf(before[claim])} bytes`;
      const person = JSON.stringify(memberId);
      return new Error(
        `the ID token of the member ${person} would have ${issued.length} characters and may have ${limit}; ${size} ${what}`,
      );
    };
    const ofMember = dispensable.filter((name) => !added.includes(name));
    for (const name of [added, ofMember].flatMap((names) => bySize(names, before))) {
      if (issued.length <= limit) return issued;
      const cause = error(name, 'is left out');
      report({ of: site.id, name: `${memberId} ${name}` }, message, () => cause);
      leaveOut(token, name);
      if (name === 'email') leaveOut(token, 'email_verified');
      issued = await issue();
    }
    if (issued.length <= limit) return issued;
    throw reportFault(
      onFault,
      'issuing an ID token',
      error('roles', 'is too long; return fewer or shorter roles from findMember'),
    );
  };
}

const message = 'an ID token is too long';

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

function bySize(names: readonly string[], payload: Readonly<Record<string, unknown>>): string[] {
  const there = names.filter((name) => payload[name] !== undefined);
  return there.sort((a, b) => bytesOf(payload[b]) - bytesOf(payload[a]));
}

/** The host's claims are in `extra`, those of the member in `available`. */
function leaveOut(token: IdToken, name: string): void {
  token.set(name, undefined);
  token.available[name] = undefined;
}
