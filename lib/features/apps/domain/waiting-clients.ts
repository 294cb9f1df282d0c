import { isMetadataDocumentId } from '../../../core/clients/client-id.ts';
import { type AppIdentity, identityOf, identityOfDocument, isMadeHere, ruledId } from '../../../core/access/app.ts';
import { type AccessRule, combine, isStricter } from '../../../core/access/rule.ts';
import { audienceOf } from '../../../core/clients/client-metadata.ts';
import type { ClientAudience } from '../../../core/clients/client.ts';
import { rulesOfSchool } from '../../../core/access/school-rules.ts';
import type { AppRuleFinders } from '../../../core/access/rule-finders.ts';
import { type DocumentRecords, isWaiting, shownVersion } from '../../../core/access/school-records.ts';
import type { Site } from '../../../host/school-platform.ts';
import type { DocumentReviewRecord } from '../../../records/codec.ts';
import type { RecordOf } from '../../../records/record.ts';
import type { RecordStore } from '../../../records/record-store.ts';

/** What tells whether a rule asks for an approval. */
export interface WaitingSources {
  readonly store: RecordStore;
  readonly rules: AppRuleFinders;
}

/** How many clients are looked up at a time. */
const lookUps = 50;

/** Those that wait for an approval. What was shown stays when the rule that asked for one goes: then it no longer waits. */
export async function waitingOf(
  options: WaitingSources,
  site: Site,
  all: readonly DocumentRecords[],
  rules: readonly RecordOf<'AppRule'>[],
): Promise<DocumentRecords[]> {
  const needsApproval = approvalRule(options, site, rules);
  const undecided = all.filter(isWaiting);
  const waiting: DocumentRecords[] = [];
  for (let at = 0; at < undecided.length; at += lookUps) {
    const some = undecided.slice(at, at + lookUps);
    const needing = await Promise.all(some.map(({ shown }) => needsApproval(shown)));
    waiting.push(...some.filter((_each, i) => needing[i]));
  }
  return waiting;
}

/**
 * Whether a client needs an approval: a metadata document does that the platform has not reviewed, and any client while a rule says so, or a policy takes
 * away less once it is approved.
 */
function approvalRule(
  options: WaitingSources,
  site: Site,
  rules: readonly RecordOf<'AppRule'>[],
): (shown: DocumentReviewRecord) => Promise<boolean> {
  const { reviewedInCode, access } = options.rules;
  const { schoolRule } = rulesOfSchool(rules);
  const hasPolicies = access.countAt('connect');
  const isAsked = rules.some((rule) => rule.access === 'view_only');
  return async (shown) => {
    const clientId = shown.client_id;
    if (isMetadataDocumentId(clientId) && !(await reviewedInCode(clientId, shownVersion(shown)))) return true;
    if (!isAsked && !hasPolicies) return false;
    const own = schoolRule({ clientId });
    if (own?.access === 'view_only' || (own && !hasPolicies)) return own?.access === 'view_only';
    const { identity, ...client } = await ruledClient(options, site, clientId);
    if (schoolRule(client)?.access === 'view_only') return true;
    return identity !== undefined && isReviewAsked(options.rules, site, { ...client, identity });
  };
}

interface RuledClient {
  readonly clientId: string;
  readonly app: string | undefined;
  readonly audience: ClientAudience;
  /** @default it is in code, or gone */
  readonly identity?: AppIdentity | undefined;
}

async function ruledClient(
  { store, rules }: WaitingSources,
  { id: siteId }: Site,
  clientId: string,
): Promise<RuledClient> {
  const app = rules.appIdOf(clientId);
  if (isMetadataDocumentId(clientId))
    return { clientId, app, audience: 'operator', identity: identityOfDocument(rules.rowOf(clientId)) };
  const found = await store.find(siteId, 'Client', clientId);
  if (found) {
    const identity = identityOf(found.record);
    return { clientId, app: ruledId(identity), audience: audienceOf(found.record), identity };
  }
  // The client of a vendor, for all schools.
  const identity =
    app === undefined ? undefined : rules.waysOf(app).find(({ identity: { source } }) => source === 'vendor')?.identity;
  return { clientId, app, audience: 'operator', identity };
}

/** Whether policies take away less from a stranger once it is approved. */
async function isReviewAsked(
  { access, sources: { catalogue } }: AppRuleFinders,
  site: Site,
  { clientId, audience, identity }: RuledClient & { readonly identity: AppIdentity },
): Promise<boolean> {
  const ruleOf = async (reviewed: boolean): Promise<AccessRule> => {
    const question = { site, app: { ...identity, reviewed }, client: { id: clientId, audience } };
    const rules = await access({ ...question, scopes: catalogue.of(audience), at: 'connect' });
    return combine(rules.map(({ rule }) => rule));
  };
  const [before, after] = [await ruleOf(isMadeHere(identity)), await ruleOf(true)];
  return isStricter(before, after);
}
