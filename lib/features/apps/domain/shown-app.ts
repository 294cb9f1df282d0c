import { usedApp } from '../../../core/access/used-client.ts';
import type { RuledApp } from '../../../core/access/app-rule.ts';
import type { AppRuleFinders } from '../../../core/access/rule-finders.ts';
import type { ClientVersions } from '../../../core/access/client-versions.ts';
import type { RecordStore } from '../../../records/record-store.ts';

export interface ShownAppSources {
  readonly store: RecordStore;
  readonly versions: ClientVersions;
  readonly rules: AppRuleFinders;
}

/** The app of a client that people were shown, without fetching its document. */
export async function shownApp(
  { store, versions, rules: { appIdOf } }: ShownAppSources,
  siteId: string,
  clientId: string,
): Promise<RuledApp | undefined> {
  const known = versions.appOf(clientId)?.id ?? appIdOf(clientId);
  if (known !== undefined) return { id: known, verified: true };
  return usedApp((await store.find(siteId, 'Client', clientId))?.record.campus_app);
}
