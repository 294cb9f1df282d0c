import { isMetadataDocumentId } from '../../../core/clients/client-id.ts';
import type { ClientAudience, StaticClient } from '../../../core/clients/client.ts';
import { audienceOf } from '../../../core/clients/client-metadata.ts';
import { usedApp } from '../../../core/decisions/allowance.ts';
import type { RuledApp } from '../../../core/decisions/app-rule.ts';
import { type AppRuleFinders, ruleInForce, schoolDecisions } from '../../../core/decisions/app-rules.ts';
import { type DocumentRecords, isWaiting, shownVersion } from '../../../core/decisions/school-records.ts';
import type { Site } from '../../../host/school-platform.ts';
import type { DocumentReviewRecord } from '../../../records/codec.ts';
import type { RecordOf } from '../../../records/record.ts';
import type { RecordStore } from '../../../records/record-store.ts';

/** What tells whether a rule asks for an approval. */
export interface WaitingSources {
  readonly store: RecordStore;
  readonly rules: AppRuleFinders;
  /** Those in code. */
  readonly clients: readonly StaticClient[];
}

interface Parted {
  readonly all: readonly DocumentRecords[];
  readonly rules: readonly RecordOf<'AppRule'>[];
  readonly part: 'waiting' | 'decided';
}

/** How many clients are looked up at a time. */
const lookUps = 50;

/** What was shown stays when the rule that asked for an approval goes: then it neither waits nor was decided on. */
export async function partOf(
  options: WaitingSources,
  site: Site,
  { all, rules, part }: Parted,
): Promise<DocumentRecords[]> {
  const needsApproval = approvalRule(options, site, rules);
  const undecided = all.filter(isWaiting);
  const waiting = new Set<DocumentRecords>();
  for (let at = 0; at < undecided.length; at += lookUps) {
    const some = undecided.slice(at, at + lookUps);
    const needing = await Promise.all(some.map(({ shown }) => needsApproval(shown)));
    for (const [i, each] of some.entries()) if (needing[i]) waiting.add(each);
  }
  return all.filter((each) => (part === 'waiting' ? waiting.has(each) : each.review && !waiting.has(each)));
}

/** Whether a client needs an approval: a metadata document does that the platform has not reviewed, and any client while a rule says so. */
function approvalRule(
  options: WaitingSources,
  site: Site,
  rules: readonly RecordOf<'AppRule'>[],
): (shown: DocumentReviewRecord) => Promise<boolean> {
  const { reviewedInCode, sources } = options.rules;
  const { platformRule } = sources;
  const { schoolRule } = schoolDecisions(rules);
  const isAsked = platformRule !== undefined || rules.some(({ access }) => access === 'view_only');
  return async (shown) => {
    const clientId = shown.client_id;
    if (isMetadataDocumentId(clientId) && !(await reviewedInCode(clientId, shownVersion(shown)))) return true;
    if (!isAsked) return false;
    const own = platformRule ? undefined : schoolRule({ clientId });
    if (own) return own.access === 'view_only';
    const client = await ruledClient(options, site, clientId);
    if (!client) return false;
    const { app, audience } = client;
    const request = { site, app, client: { clientId, audience } };
    const { rule } = await ruleInForce(schoolRule({ clientId, app }), platformRule, request);
    return rule.access === 'view_only';
  };
}

interface RuledClient {
  readonly app: RuledApp | undefined;
  readonly audience: ClientAudience;
}

async function ruledClient(
  { store, clients, rules: { appIdOf } }: WaitingSources,
  { id: siteId }: Site,
  clientId: string,
): Promise<RuledClient | undefined> {
  const id = appIdOf(clientId);
  const app = id === undefined ? undefined : { id, verified: true };
  if (isMetadataDocumentId(clientId)) return { audience: 'operator', app };
  const inCode = clients.find((each) => each.clientId === clientId);
  if (inCode) return { audience: inCode.audience, app };
  const found = await store.find(siteId, 'Client', clientId);
  return found && { audience: audienceOf(found.record), app: usedApp(found.record.campus_app) };
}
