import { allowedPersonId } from '../../../core/access/allowed-people.ts';
import type { AppTarget } from '../../../core/access/app-rule.ts';
import { ruleId, ruleOf, ruleTarget } from '../../../core/access/school-rules.ts';
import type { DecisionInForce } from '../../../core/applications/request-status.ts';
import { isMetadataDocumentId } from '../../../core/clients/client-id.ts';
import type { ClientFinder } from '../../../core/clients/client-finder.ts';
import { appOf } from '../../../core/clients/client-metadata.ts';
import { isKnownAppId } from '../../../core/known-apps/known-apps.ts';
import type { AppRequestRecord } from '../../../records/codec.ts';
import type { RecordStore } from '../../../records/record-store.ts';
import type { RecordOf } from '../../../records/record.ts';

export interface DecisionSources {
  readonly store: RecordStore;
  /** Finds clients without a request to another server. */
  readonly clients: ClientFinder;
  /** The app of a client whose id alone tells it. */
  readonly appIdOf: (clientId: string) => string | undefined;
}

type Person = Pick<AppRequestRecord, 'member_id' | 'app' | 'connects'>;

/** What is in force for a request; nothing for one that is for an application. @param roles - those of the person, if they are known */
export type DecisionFinder = (request: Person, roles?: readonly string[]) => Promise<DecisionInForce | undefined>;

/** Where the decisions of a school are read. */
interface Decided {
  readonly rule: (id: string) => Promise<RecordOf<'AppRule'> | undefined>;
  readonly person: (id: string) => Promise<RecordOf<'AllowedPerson'> | undefined>;
}

/** For one request: each record is read alone. */
export function decisionOf(sources: DecisionSources, siteId: string): DecisionFinder {
  const { store } = sources;
  return decisionFinder(sources, siteId, {
    rule: async (id) => (await store.find(siteId, 'AppRule', id))?.record,
    person: async (id) => (await store.find(siteId, 'AllowedPerson', id))?.record,
  });
}

/** For all requests of a school: two lists are read, and the second only if it matters. */
export function decisionsOf(sources: DecisionSources, siteId: string): DecisionFinder {
  const { store } = sources;
  const rules = once(async () => byId(await store.list(siteId, 'AppRule'), (each) => ruleId(ruleTarget(each))));
  const people = once(async () =>
    byId(await store.list(siteId, 'AllowedPerson'), (each) => allowedPersonId(ruleTarget(each), each.member_id)),
  );
  return decisionFinder(sources, siteId, {
    rule: async (id) => (await rules()).get(id),
    person: async (id) => (await people()).get(id),
  });
}

function byId<T>(records: readonly T[], idOf: (record: T) => string): ReadonlyMap<string, T> {
  return new Map(records.map((record) => [idOf(record), record]));
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | undefined;
  return () => (found ??= read());
}

function decisionFinder(sources: DecisionSources, siteId: string, decided: Decided): DecisionFinder {
  const appIds = new Map<string, Promise<string | undefined>>();
  const appIdOf = (clientId: string): Promise<string | undefined> => {
    const known = appIds.get(clientId) ?? findAppId(sources, siteId, clientId);
    appIds.set(clientId, known);
    return known;
  };
  return async ({ member_id: memberId, app, connects: clientId }, roles) => {
    if (clientId === undefined) return undefined;
    const id = isKnownAppId(app) ? app : await appIdOf(clientId);
    const targets: readonly AppTarget[] = [{ clientId }, ...(id === undefined ? [] : [{ app: id }])];
    const [own, ofApp] = await Promise.all(targets.map((target) => decided.rule(ruleId(target))));
    const record = own?.access === undefined ? (ofApp ?? own) : own;
    if (!record) return undefined;
    const rule = ruleOf(record);
    const isApproved = own?.approved !== undefined;
    const isOfPerson = rule?.ask === true || rule?.roles !== undefined;
    const people = isOfPerson
      ? await Promise.all(targets.map((target) => decided.person(allowedPersonId(target, memberId))))
      : [];
    const allowed = people.flatMap((each) => each?.at ?? []);
    return {
      rule,
      at: Math.max(record.at, own && isApproved ? own.at : 0, ...allowed),
      isAllowed: allowed.length > 0,
      waits: !isApproved && (rule?.access === 'view_only' || isMetadataDocumentId(clientId)),
      roles,
    };
  };
}

async function findAppId({ clients, appIdOf }: DecisionSources, siteId: string, clientId: string) {
  return appIdOf(clientId) ?? appOf((await clients(siteId, clientId, 'identify')) ?? {})?.id;
}
