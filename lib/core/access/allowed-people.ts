import { digest } from '../../kernel/crypto.ts';
import type { RecordStore } from '../../records/record-store.ts';
import type { AppTarget } from './app-rule.ts';
import { targetName } from './school-rules.ts';
import { VersionConflict, type ExpectedVersion } from '../clients/expected-version.ts';
import type { RecordOf } from '../../records/record.ts';
import { decidedIn } from './rule-version.ts';

/** Whether a school has allowed a client, or its app, for this person. */
export type AllowedPersonFinder = (
  siteId: string,
  client: { readonly clientId?: string | undefined; readonly app?: string | undefined },
  memberId: string,
) => Promise<boolean>;

export function allowedPersonId(target: AppTarget, memberId: string): string {
  return digest(`${targetName(target)} for ${memberId}`);
}

export function allowedPersons(store: RecordStore): AllowedPersonFinder {
  return async (siteId, { clientId, app }, memberId) => {
    const targets = [...(clientId === undefined ? [] : [{ clientId }]), ...(app === undefined ? [] : [{ app }])];
    const found = await Promise.all(
      targets.map((target) => store.find(siteId, 'AllowedPerson', allowedPersonId(target, memberId))),
    );
    return found.some((each) => each !== undefined);
  };
}

/** Another one after each decision on the person. */
export function allowedPersonVersion({ by: _by, note: _note, ...decision }: RecordOf<'AllowedPerson'>): string {
  return digest(JSON.stringify(decision));
}

/** Returns whether there was one. @throws VersionConflict if it is another one than the version says */
export async function removeAllowedPerson(
  store: RecordStore,
  siteId: string,
  { target, memberId, version }: { readonly target: AppTarget; readonly memberId: string } & ExpectedVersion,
): Promise<boolean> {
  const id = allowedPersonId(target, memberId);
  const found = await store.find(siteId, 'AllowedPerson', id);
  if (!found) return false;
  if (version !== undefined && version !== allowedPersonVersion(found.record)) {
    throw new VersionConflict(`${memberId} for ${targetName(target)}`, decidedIn(found.record));
  }
  if (await store.remove(siteId, 'AllowedPerson', id, found.text)) return true;
  // Somebody else was faster.
  return removeAllowedPerson(store, siteId, { target, memberId, version });
}
