import { isMetadataDocumentId } from '../clients/client-id.ts';
import { type AppIdentity, ruledId } from './app.ts';
import type { RuledApp } from './app-rule.ts';
import type { Site } from '../../host/school-platform.ts';
import type { ListedKind, RecordOf } from '../../records/record.ts';
import type { ConnectedClientRecord, DocumentReviewRecord } from '../../records/codec.ts';
import { digest } from '../../kernel/crypto.ts';
import { type ConnectedList, oldestActive } from '../clients/connected-clients-cache.ts';
import type { AppStatus, VersionState } from '../clients/client-status.ts';
import { type Review, reviewIn } from './review.ts';
import { type ListedClient, listedPermission, statusIn } from './listed-permission.ts';
import { ruleId, type RulesOfSchool, rulesOfSchool } from './school-rules.ts';
import type { AppRuleFinders } from './rule-finders.ts';
import type { AtSite } from '../../host/per-site.ts';
import type { Lifetimes } from '../limits/limits.ts';
import type { RecordStore } from '../../records/record-store.ts';

export interface SchoolRecordsOptions {
  readonly store: RecordStore;
  readonly lifetimes: AtSite<Lifetimes>;
  readonly rules: AppRuleFinders;
  readonly connected: ConnectedList;
}

/** The clients that can still have connections, by id, the most recently active first. */
export type ActiveClients = ReadonlyMap<string, ConnectedClientRecord>;

/** Where the name of a client stands without a look-up. */
export interface KnownNames {
  readonly active: ActiveClients;
  /** The name under which people were shown a metadata document. */
  readonly shownName: (clientId: string) => string | undefined;
}

/** What is decided about the current version of each client. */
export type VersionStates = (clientId: string) => Promise<VersionState>;

/** What is stored of a school's clients. */
export interface SchoolRecords extends KnownNames {
  readonly rules: readonly RecordOf<'AppRule'>[];
  /** The metadata documents that people were shown. */
  readonly shown: readonly string[];
  /** What people were shown of a client, and what was decided on it. */
  readonly shownOf: (clientId: string) => DocumentRecords | undefined;
  /** Those with a decision of their own. */
  readonly ruled: readonly string[];
  readonly ofSchool: RulesOfSchool;
  /** What is decided about the current version of a client. */
  readonly versionOf: VersionStates;
  /** The word of a client in lists. */
  readonly statusFor: (app: {
    readonly client: ListedClient & { readonly app?: RuledApp | undefined };
    readonly identity: AppIdentity | undefined;
  }) => Promise<AppStatus>;
}

/** Reads three lists, however many clients the school has. The list of clients is not read again for each page. */
export async function schoolRecords(options: SchoolRecordsOptions, site: Site): Promise<SchoolRecords> {
  const { store, connected } = options;
  const lists = await Promise.all([
    connected.read(site),
    store.list(site.id, 'AppRule'),
    store.list(site.id, 'DocumentReview'),
  ]);
  return madeFrom(options, site, lists);
}

/** Reads no list: what is stored of one client, and the rule for its app. */
export async function clientRecords(
  options: SchoolRecordsOptions,
  site: Site,
  clientId: string,
  app: RuledApp | undefined,
): Promise<SchoolRecords> {
  const apps = app ? [app.id] : [];
  return recordsOf(options, site, notedClients(options, site, [clientId]), { clientIds: [clientId], apps });
}

/** What is noted of clients that can still have connections. */
export async function notedClients(
  options: SchoolRecordsOptions,
  site: Site,
  clientIds: readonly string[],
): Promise<ActiveClients> {
  const found = await findAll(options, site, 'ConnectedClient', clientIds.map(digest));
  const current = found.filter(({ at }) => at > oldestActive(options, site));
  return new Map(current.map((record) => [record.client_id, record]));
}

/** The same as for a whole school, of these clients and apps only: each record is read alone. */
export async function recordsOf(
  options: SchoolRecordsOptions,
  site: Site,
  active: ActiveClients | Promise<ActiveClients>,
  { clientIds, apps }: { readonly clientIds: readonly string[]; readonly apps: readonly string[] },
): Promise<SchoolRecords> {
  const targets = [...clientIds.map((clientId) => ({ clientId })), ...apps.map((app) => ({ app }))];
  const lists = await Promise.all([
    active,
    findAll(options, site, 'AppRule', targets.map(ruleId)),
    findAll(options, site, 'DocumentReview', clientIds.map(shownId)),
  ]);
  return madeFrom(options, site, lists);
}

async function findAll<K extends ListedKind>(
  { store }: SchoolRecordsOptions,
  site: Site,
  kind: K,
  ids: readonly string[],
): Promise<RecordOf<K>[]> {
  const found = await Promise.all(ids.map((id) => store.find(site.id, kind, id)));
  return found.flatMap((each) => each?.record ?? []);
}

type Lists = readonly [
  active: ActiveClients,
  rules: readonly RecordOf<'AppRule'>[],
  reviews: readonly DocumentReviewRecord[],
];

function madeFrom(
  { rules: { sources, reviewedInCode } }: SchoolRecordsOptions,
  site: Site,
  [active, rules, reviews]: Lists,
): SchoolRecords {
  const ofSchool = rulesOfSchool(rules);
  const shown = new Map(shownDocuments(reviews, rules).map((each) => [each.shown.client_id, each]));
  const versionOf = async (clientId: string): Promise<VersionState> => {
    const document = shown.get(clientId);
    if (document?.review && !isWaiting(document)) return document.review.decision;
    if (!document && ofSchool.recordOf({ clientId })?.approved) return 'approved';
    // Other clients need an approval only while a rule says so, and what was shown meanwhile stays.
    if (!isMetadataDocumentId(clientId)) return 'undecided';
    const version = document ? shownVersion(document.shown) : '';
    // The platform's review is no approval of the school, which a rule can ask for all the same.
    return (await reviewedInCode(clientId, version)) ? 'undecided' : 'waiting';
  };
  return {
    active,
    ofSchool,
    versionOf,
    shown: [...shown.keys()],
    shownOf: (clientId) => shown.get(clientId),
    shownName: (clientId) => shown.get(clientId)?.shown.client_name,
    ruled: rules.flatMap(({ client_id: clientId }) => clientId ?? []),
    rules,
    async statusFor({ client: { clientId, audience, subject, app: known }, identity }) {
      const app = known?.id ?? (identity && ruledId(identity));
      const school = ofSchool.schoolRule({ clientId, app });
      const client = { clientId, audience, subject };
      const version = await versionOf(clientId);
      return statusIn(
        await listedPermission(sources, {
          site,
          ways: identity ? [{ identity, audience }] : [],
          app,
          client,
          version,
          school,
        }),
      );
    },
  };
}

// What was shown and what was decided are two records: a page that is shown at the moment of a decision must not undo it.
export const shownId = (clientId: string): string => `${digest(clientId)}:shown`;

/** What people were shown, and what was decided on it. */
export interface DocumentRecords {
  readonly shown: DocumentReviewRecord;
  readonly review: Review | undefined;
}

/** The documents of these records, the latest first. */
export function shownDocuments(
  records: readonly DocumentReviewRecord[],
  rules: readonly RecordOf<'AppRule'>[],
): DocumentRecords[] {
  const decided = new Map(rules.map((rule) => [rule.client_id, rule]));
  const all = records.toSorted((a, b) => b.at - a.at || a.client_id.localeCompare(b.client_id));
  return all.map((shown) => ({ shown, review: reviewIn(decided.get(shown.client_id)) }));
}

/** Whether a document waits for a decision, as far as the records say. */
export function isWaiting({ shown, review }: DocumentRecords): boolean {
  if (review?.decision !== 'approved') return review === undefined;
  return review.version.digest !== shownVersion(shown);
}

/** The digest of the version that people were shown last. */
export function shownVersion({ reported, digest: shown }: DocumentReviewRecord): string {
  return reported ?? shown;
}
