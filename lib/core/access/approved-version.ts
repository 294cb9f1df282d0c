import type { MaybePromise } from '../../host/school-platform.ts';
import { type Facts, type Permission, after } from './permission.ts';
import { keep, refuse } from './taking.ts';
import { deciders } from './who-can-change.ts';

/** What waits for an approval of this version is approved: for metadata documents, and where the school says view only. */
export function approvedVersion(p: Permission, facts: Facts): MaybePromise<Permission> {
  // The question is what an approval would give.
  if (facts.asked.approving === true) return p;
  const isViewOnly = p.said.some(({ policy, rule }) => policy === undefined && rule.access === 'view_only');
  return after(facts.version(isViewOnly), ({ refusal, open }) => {
    // A version is rejected with its client.
    if (refusal && p.refused) return p;
    if (refusal) return refuse(p, approvedVersion, refusal, refusal === 'client_blocked' ? 'school' : 'platform');
    if (!open || p.scopes.every(open)) return p;
    const waiting = p.scopes.filter((scope) => !open(scope));
    const found = keep(p, approvedVersion, open, (names) => ({
      code: 'needs_approval',
      from: 'school',
      text: `no administrator has approved ${names}`,
      change: `${deciders.school} approves it`,
    }));
    return { ...found, waiting };
  });
}
