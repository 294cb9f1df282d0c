import { didYouMean } from '../../host/did-you-mean.ts';
import { brief } from '../../host/check-returns.ts';
import { InvalidRequest } from '../../kernel/errors.ts';
import type { RecordStore } from '../../records/record-store.ts';
import { programOf } from '../clients/client-metadata.ts';
import { isProgramId, knownPrograms } from '../known-programs/known-programs.ts';

/** No program has the id that was given. */
export class NoSuchProgram extends InvalidRequest {}

/** The programs that clients of a school are, or can be. */
export interface SchoolPrograms {
  /** The ids of all but `knownPrograms`. */
  own(siteId: string): Promise<ReadonlySet<string>>;
  /** @throws NoSuchProgram that says which one was meant */
  check(siteId: string, id: string): Promise<void>;
  /** What `check` throws; `undefined` if there is such a program. */
  unknown(siteId: string, id: string): Promise<NoSuchProgram | undefined>;
}

/** @param ofOptions - the ids that options name, for clients in code and for those that policies let in */
export function schoolPrograms(store: RecordStore, ofOptions: ReadonlySet<string>): SchoolPrograms {
  const own = async (siteId: string): Promise<ReadonlySet<string>> => {
    const [created, connected] = await Promise.all([
      store.list(siteId, 'Client'),
      store.list(siteId, 'ConnectedClient'),
    ]);
    const ofClients = [...created.map((client) => programOf(client)?.id), ...connected.map(({ program }) => program)];
    return new Set([...ofOptions, ...ofClients.flatMap((id) => id ?? [])]);
  };
  const unknown = async (siteId: string, id: string): Promise<NoSuchProgram | undefined> => {
    if (isProgramId(id) || ofOptions.has(id)) return undefined;
    const others = await own(siteId);
    return others.has(id) ? undefined : noSuchProgram(id, others);
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

function noSuchProgram(id: string, own: ReadonlySet<string>): NoSuchProgram {
  const meant = didYouMean(id, [...own, ...knownPrograms.map((each) => each.id)]);
  return new NoSuchProgram(
    `no program has the id ${brief(id)} here${meant === '' ? '; name any other client by { clientId }' : meant}`,
  );
}
