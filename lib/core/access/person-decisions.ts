import { digest } from '../../kernel/crypto.ts';
import type { RecordStore } from '../../records/record-store.ts';
import type { AppTarget } from './app-rule.ts';
import { targetName } from './school-rules.ts';
import { DecisionConflict, type ExpectedVersion } from '../clients/expected-version.ts';
import type { RecordOf } from '../../records/record.ts';
import { decidedIn } from './decision-version.ts';

/** Whether a school has allowed a client, or its app, for this person. */
export type PersonDecisionFinder = (
  siteId: string,
  client: { readonly clientId?: string | undefined; readonly app?: string | undefined },
  memberId: string,
) => Promise<boolean>;

export function personDecisionId(target: AppTarget, memberId: string): string {
  return digest(`${targetName(target)} for ${memberId}`);
}

export function personDecisions(store: RecordStore): PersonDecisionFinder {
  return async (siteId, { clientId, app }, memberId) => {
    const targets = [...(clientId === undefined ? [] : [{ clientId }]), ...(app === undefined ? [] : [{ app }])];
    const found = await Promise.all(
      targets.map((target) => store.find(siteId, 'PersonDecision', personDecisionId(target, memberId))),
    );
    return found.some((each) => each !== undefined);
  };
}

/** Another one after each decision on the person. */
export function personDecisionVersion({ by: _by, note: _note, ...decision }: RecordOf<'PersonDecision'>): string {
  return digest(JSON.stringify(decision));
}

/** Returns whether there was one. @throws DecisionConflict if it is another one than the version says */
export async function removePersonDecision(
  store: RecordStore,
  siteId: string,
  { target, memberId, version }: { readonly target: AppTarget; readonly memberId: string } & ExpectedVersion,
): Promise<boolean> {
  const id = personDecisionId(target, memberId);
  const found = await store.find(siteId, 'PersonDecision', id);
  if (!found) return false;
  if (version !== undefined && version !== personDecisionVersion(found.record)) {
    throw new DecisionConflict(`${memberId} for ${targetName(target)}`, decidedIn(found.record));
  }
  if (await store.remove(siteId, 'PersonDecision', id, found.text)) return true;
  // Somebody else was faster.
  return removePersonDecision(store, siteId, { target, memberId, version });
}
