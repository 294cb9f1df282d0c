import { textOf, textsOf } from '../../../kernel/json.ts';
import { oneByOne, pageOf } from '../../../core/clients/paging.ts';
import { appOf, verifiedApp } from '../../../core/clients/client-metadata.ts';
import { type DocumentRecords, shownDocuments, shownId } from '../../../core/access/school-records.ts';
import { type ApplyingRules, ruleVersion } from '../../../core/access/rule-version.ts';
import { rulesOfSchool } from '../../../core/access/school-rules.ts';
import type { Review } from '../../../core/access/review.ts';
import { readRule } from './stored-rule.ts';
import { shownApp, type ShownAppSources } from './shown-app.ts';
import { waitingOf, type WaitingSources } from './waiting-clients.ts';
import type { ClientVersions } from '../../../core/access/client-versions.ts';
import type { AppReview, ReviewStatus, ShownVersions } from '../../../core/access/app-review.ts';
import { splitScope } from '../../../core/scopes/scopes.ts';
import { type DocumentRecord, type DocumentReviewRecord, serializeRecord } from '../../../records/codec.ts';
import type { RecordOf } from '../../../records/record.ts';
import type { FoundRecord } from '../../../records/found-record.ts';
import type { RecordStore } from '../../../records/record-store.ts';
import { epochSeconds } from '../../../kernel/clock.ts';

type SeenOptions = WaitingSources & ShownAppSources;

export function shownVersions(options: SeenOptions): Pick<ShownVersions, 'list' | 'waiting' | 'find'> {
  const { store, versions } = options;
  return {
    async list(site, { waiting, ...query } = {}) {
      const [shown, rules] = await reviewRecords(store, site.id);
      const all = shownDocuments(shown, rules);
      const listed = waiting ? await waitingOf(options, site, all, rules) : all;
      const { recordOf } = rulesOfSchool(rules);
      // Where no app has a rule, nothing has to be known of apps.
      const hasAppRules = rules.some(({ app }) => app !== undefined);
      const read = oneByOne(async (each: DocumentRecords) => {
        const { client_id: clientId } = each.shown;
        const app = hasAppRules ? await shownApp(options, site.id, clientId) : undefined;
        const ofApp = app && recordOf({ app: app.id });
        return {
          ...(await describeReview(each, versions)),
          ...named(clientId, { own: recordOf({ clientId }), ofApp }),
        };
      });
      return pageOf({ keys: listed, read }, query);
    },
    async waiting(site) {
      const [shown, rules] = await reviewRecords(store, site.id);
      const waits = await waitingOf(options, site, shownDocuments(shown, rules), rules);
      return waits.map((each) => each.shown.client_id);
    },
    async find({ id }, clientId) {
      const [shown, { record: own, review }] = await Promise.all([
        store.find(id, 'DocumentReview', shownId(clientId)),
        readRule(store, id, { clientId }),
      ]);
      if (!shown) return undefined;
      const app = await shownApp(options, id, clientId);
      const ofApp = app && (await readRule(store, id, { app: app.id })).record;
      const seen = await reviewWithLogo(id, { shown: shown.record, review }, versions);
      return { ...seen, ...named(clientId, { own, ofApp }) };
    },
  };

  function named(clientId: string, rules: ApplyingRules) {
    return { clientId, app: appOf(verifiedApp(versions.appOf(clientId))), version: ruleVersion(rules) };
  }
}

/** The same as `describeReview`, with the picture at the address of the logo. */
export async function reviewWithLogo(
  siteId: string,
  records: DocumentRecords,
  versions: ClientVersions,
): Promise<AppReview> {
  const seen = await describeReview(records, versions);
  const logo = seen.logoUri === undefined ? undefined : await versions.findLogo(siteId, seen.logoUri);
  const approved = seen.status === 'approved' && records.review?.version?.logoDigest === logo?.digest;
  return { ...seen, ...(logo && { logo: { ...logo, approved } }) };
}

/** What a school reviews of a client, as it is now. */
export async function describeReview({ shown, review }: DocumentRecords, versions: ClientVersions): Promise<AppReview> {
  const { client_id: clientId, at: seenAt } = shown;
  const cached = await versions.find(clientId);
  const shownVersion = versionOf(shown, cached);
  const shipped = versions.shipped(clientId, cached);
  const status = statusOf(review, shownVersion.digest);
  const { clientName, redirectUris = [], scopes } = review?.version ?? {};
  return {
    ...shownVersion,
    ...(shipped?.digest === shownVersion.digest && { copyDate: shipped.date }),
    seenAt,
    status,
    ...(status === 'changed' && { approved: { clientName, redirectUris } }),
    ...(status === 'approved' && scopes !== undefined && { approvedScopes: splitScope(scopes) }),
  };
}

interface DocumentVersion {
  readonly clientName?: string | undefined;
  readonly redirectUris: readonly string[];
  readonly logoUri?: string | undefined;
  readonly digest: string;
}

/**
 * The version that an administrator decides on: the one that was last fetched, or after that was withdrawn the one that was
 * shown. All of it comes from one record, so that nobody approves by a digest what they were not shown.
 */
export function versionOf(shown: DocumentReviewRecord, cached: DocumentRecord | undefined): DocumentVersion {
  if (cached?.document) {
    const { document, digest } = cached;
    return {
      clientName: textOf(document, 'client_name'),
      redirectUris: textsOf(document, 'redirect_uris'),
      logoUri: textOf(document, 'logo_uri'),
      digest,
    };
  }
  return { clientName: shown.client_name, redirectUris: shown.redirect_uris ?? [], digest: shown.digest };
}

function statusOf(review: Review | undefined, digest: string): ReviewStatus {
  if (!review?.version) return 'unreviewed';
  return review.version.digest === digest ? 'approved' : 'changed';
}

/** What people were shown and what was decided, in two lists. */
export async function reviewRecords(
  store: RecordStore,
  siteId: string,
): Promise<[DocumentReviewRecord[], RecordOf<'AppRule'>[]]> {
  return Promise.all([store.list(siteId, 'DocumentReview'), store.list(siteId, 'AppRule')]);
}

/** A record to save, now unless it says when. */
type NewShown = Omit<DocumentReviewRecord, 'at'> & { readonly at?: number };

interface ShownRecords {
  readonly find: (siteId: string, clientId: string) => Promise<FoundRecord<'DocumentReview'> | undefined>;
  /** Nothing is saved if something else than `replaces` is stored. */
  readonly save: (siteId: string, shown: NewShown, replaces?: string | null) => Promise<void>;
}

/** What people of a school were shown of clients. */
export function shownRecords(store: RecordStore): ShownRecords {
  return {
    find: (siteId, clientId) => store.find(siteId, 'DocumentReview', shownId(clientId)),
    async save(siteId, shown, replaces) {
      const record = serializeRecord('DocumentReview', { at: epochSeconds(), ...shown });
      const id = shownId(shown.client_id);
      await store.save(siteId, { kind: 'DocumentReview', id, record, listed: true, replaces });
    },
  };
}
