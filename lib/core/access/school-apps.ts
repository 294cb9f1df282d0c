import { didYouMean } from '../../host/did-you-mean.ts';
import { brief } from '../../host/check-returns.ts';
import { InvalidRequest } from '../../kernel/errors.ts';
import type { RecordStore } from '../../records/record-store.ts';
import { appOf } from '../clients/client-metadata.ts';
import { isKnownAppId, knownApps } from '../known-apps/known-apps.ts';

/** No app has the id that was given. */
export class NoSuchApp extends InvalidRequest {}

/** The apps that clients of a school are, or can be. */
export interface SchoolAppIds {
  /** The ids of all but `knownApps`. */
  own(siteId: string): Promise<ReadonlySet<string>>;
  /** @throws NoSuchApp that says which one was meant */
  check(siteId: string, id: string): Promise<void>;
  /** What `check` throws; `undefined` if there is such an app. */
  unknown(siteId: string, id: string): Promise<NoSuchApp | undefined>;
}

/** @param ofOptions - the ids that options name, for clients in code and for those that policies let in */
export function schoolAppIds(store: RecordStore, ofOptions: ReadonlySet<string>): SchoolAppIds {
  const own = async (siteId: string): Promise<ReadonlySet<string>> => {
    const [created, connected] = await Promise.all([
      store.list(siteId, 'Client'),
      store.list(siteId, 'ConnectedClient'),
    ]);
    const ofClients = [...created.map((client) => appOf(client)?.id), ...connected.map(({ app }) => app)];
    return new Set([...ofOptions, ...ofClients.flatMap((id) => id ?? [])]);
  };
  const unknown = async (siteId: string, id: string): Promise<NoSuchApp | undefined> => {
    if (isKnownAppId(id) || ofOptions.has(id)) return undefined;
    const others = await own(siteId);
    return others.has(id) ? undefined : noSuchApp(id, others);
  };
  return {
    own,
    unknown,
    check: async (siteId, id) => {
      const error = await unknown(siteId, id);
      if (error) throw error;
    },
  };
}

function noSuchApp(id: string, own: ReadonlySet<string>): NoSuchApp {
  const meant = didYouMean(id, [...own, ...knownApps.map((each) => each.id)]);
  return new NoSuchApp(
    `no app has the id ${brief(id)} here${meant === '' ? '; name any other client by { clientId }' : meant}`,
  );
}
