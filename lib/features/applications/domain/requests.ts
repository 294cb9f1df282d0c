import type { Applications } from '../../../core/applications/application.ts';
import { brief } from '../../../host/check-returns.ts';
import { didYouMean } from '../../../host/did-you-mean.ts';
import type { Site } from '../../../host/school-platform.ts';
import {
  type ConnectRequests,
  connectReason,
  type AppRequest,
  appRequestId,
  type AppRequests,
  type OwnRequest,
  type RequestDecision,
  type RequestStatus,
} from '../../../core/applications/request.ts';
import { VersionConflict } from '../../../core/clients/expected-version.ts';
import { InvalidRequest, OAuthError } from '../../../kernel/errors.ts';
import { isKnownAppId, knownApps } from '../../../core/known-apps/known-apps.ts';
import { identityScopes, type ScopeCatalogue } from '../../../core/scopes/scopes.ts';
import { type AppRequestRecord, serializeRecord } from '../../../records/codec.ts';
import type { FoundRecord } from '../../../records/found-record.ts';
import type { RecordStore } from '../../../records/record-store.ts';
import type { AuditAction, AuditDetails, OnAudit } from '../../../observe/audit-event.ts';
import { digest } from '../../../kernel/crypto.ts';
import { epochSeconds } from '../../../kernel/clock.ts';
import { InvalidApplication, inputProblems } from './application-input.ts';
import { mustBeEnabled, unknown } from './application-records.ts';
import { groupsOf } from '../../../core/applications/request-groups.ts';
import { pageOf } from '../../../core/clients/paging.ts';
import type { News } from '../../../core/news/news.ts';
import type { Enabled } from '../../../core/enabled/enabled.ts';
import { statusInForce } from '../../../core/applications/request-status.ts';
import { type DecisionFinder, decisionOf, decisionsOf, type DecisionSources } from './decisions-in-force.ts';

const kind = 'AppRequest';
const keptSeconds = 90 * 24 * 60 * 60;
/** Requests of one school. */
const maxRequests = 500;
/** Characters of what a member, or an administrator, writes. */
export const maxText = 500;

interface RequestOptions extends DecisionSources {
  readonly catalogue: ScopeCatalogue;
  readonly enabled: Enabled;
  readonly onAudit: OnAudit;
  readonly applications: Applications;
  readonly news: News;
  /** Limits how often a member asks. */
  readonly limit: (site: Site, memberId: string) => Promise<void>;
}

/** The names of clients are those that they have given themselves. */
const maxName = 100;
const maxRedirectUris = 10;
/** A catalogue has fewer. */
const maxScopes = 200;

function idOf({ member_id: memberId, app, connects }: AppRequestRecord): string {
  return appRequestId(memberId, app, connects);
}

/** Whose requests are read. */
interface Asker {
  /** @default everyone's */
  readonly memberId?: string | undefined;
  /** @default not known */
  readonly roles?: readonly string[] | undefined;
}

interface RequestRecords {
  readonly find: (site: Site, id: string) => Promise<FoundRecord<typeof kind> | undefined>;
  /** What has become of it, by the decisions that are in force. */
  readonly read: (site: Site, record: AppRequestRecord) => Promise<AppRequest>;
  /** Writes over what was read, and reports it. @throws OAuthError `conflict`, status 409, if that is something else by now */
  readonly save: (
    action: AuditAction,
    site: Site,
    record: AppRequestRecord,
    before: { readonly text: string | null; readonly details?: Partial<AuditDetails> },
  ) => Promise<AppRequest>;
}

function requestRecords(options: RequestOptions): RequestRecords {
  const { store, onAudit } = options;
  return {
    async read({ id: siteId }, record) {
      const { answeredAt: _at, ...request } = await inForce(decisionOf(options, siteId), record);
      return request;
    },
    async find({ id: siteId }, id) {
      const found = await store.find(siteId, kind, id);
      return found && isKept(found.record) ? found : undefined;
    },
    async save(action, { id: siteId }, record, { text, details }) {
      const request = requestOf(record);
      const entry = { kind, id: request.id, record: serializeRecord(kind, record), listed: true } as const;
      if (!(await store.save(siteId, { ...entry, replaces: text }))) {
        throw conflictOn(request.id, (await store.find(siteId, kind, request.id))?.record);
      }
      const { memberId, connects, clientId = connects, app } = request;
      const reason = connects === undefined ? undefined : connectReason;
      onAudit({ action, siteId, actor: { kind: 'administrator' }, memberId, clientId, app, reason, ...details });
      return request;
    },
  };
}

export function createAppRequests(options: RequestOptions): AppRequests & ConnectRequests {
  const { store, onAudit, limit } = options;
  const records = requestRecords(options);

  /** Those of a school or of one person, the latest first. */
  async function latest(siteId: string, { memberId, roles }: Asker): Promise<OwnRequest[]> {
    const kept = (await store.list(siteId, kind)).filter(isKept);
    const wanted = memberId === undefined ? kept : kept.filter((each) => each.member_id === memberId);
    const decisions = decisionsOf(options, siteId);
    const read = await Promise.all(wanted.map((record) => inForce(decisions, record, roles)));
    return read.sort((a, b) => b.at - a.at || a.id.localeCompare(b.id));
  }

  /** Asking again replaces the request, also after it was decided. */
  async function made(site: Site, asked: Omit<AppRequestRecord, 'at' | 'v'>): Promise<AppRequest> {
    const record = { ...asked, at: epochSeconds() };
    const memberId = asked.member_id;
    await limit(site, memberId);
    const before = await store.find(site.id, kind, idOf(record));
    if (!before) await makeRoom(store, site);
    const isOpen = before && isKept(before.record) && before.record.decision === undefined;
    const details = { actor: { kind: 'member', id: memberId }, first: isOpen ? undefined : true } as const;
    return records.save('request.made', site, record, { text: before?.text ?? null, details });
  }

  return {
    ...requestDecisions(options, records),
    async list({ id }, { memberId, status, ...query } = {}) {
      const all = await latest(id, memberId === undefined ? {} : { memberId });
      const asked = status === undefined ? all : all.filter((each) => hasStatus(each, status));
      return pageOf({ keys: asked, read: withoutTimes }, query);
    },
    async find(site, id) {
      const found = await records.find(site, id);
      return found && records.read(site, found.record);
    },
    ofMember: ({ id }, { id: memberId, roles }) => latest(id, { memberId, roles }),
    async openGroups({ id }) {
      const [all, rules] = await Promise.all([latest(id, {}), store.list(id, 'AppRule')]);
      const ruled = new Set(rules.map(({ client_id: clientId }) => clientId));
      return groupsOf(
        all.filter(({ status }) => status === 'open'),
        (clientId) => ruled.has(clientId),
      );
    },
    async ask(site, memberId, { app, note = '', redirectUris: given, ...input }) {
      mustBeEnabled(site);
      if (app !== 'other' && !isKnownAppId(app)) throw notKnown(app);
      const redirectUris = given ?? [];
      // The administrator who creates the application finds the addresses.
      const problems = inputProblems({ ...input, redirectUris, scopes: identityScopes }, 'member', options).filter(
        ({ field }) => given || field !== 'redirectUris',
      );
      if (problems.length > 0) throw new InvalidApplication(problems);
      const name = { client_name: input.clientName.trim(), redirect_uris: [...new Set(redirectUris)] };
      return made(site, { member_id: memberId, app, ...name, note: bounded(note) });
    },
    async askToConnect(site, memberId, { clientId: connects, clientName, redirectUris, app, note = '', scopes }) {
      mustBeEnabled(site);
      const id = app && isKnownAppId(app.id) ? app.id : 'other';
      const name = { client_name: clientName.slice(0, maxName), redirect_uris: redirectUris.slice(0, maxRedirectUris) };
      return made(site, {
        member_id: memberId,
        app: id,
        ...name,
        note: note.trim().slice(0, maxText),
        connects,
        scopes: scopes?.slice(0, maxScopes),
      });
    },
    async withdraw(site, memberId, id) {
      const found = await records.find(site, id);
      if (found?.record.member_id !== memberId || !(await store.remove(site.id, kind, id))) return false;
      const { app, connects: clientId } = found.record;
      const actor = { kind: 'member', id: memberId } as const;
      const reason = clientId === undefined ? undefined : connectReason;
      onAudit({ action: 'request.withdrawn', siteId: site.id, actor, memberId, app, clientId, reason });
      return true;
    },
  };
}

function requestDecisions(
  { applications, news }: RequestOptions,
  { find, save }: RequestRecords,
): Pick<AppRequests & ConnectRequests, 'grant' | 'decline' | 'allow'> {
  async function decide(
    action: AuditAction,
    site: Site,
    id: string,
    decision: Partial<AppRequestRecord>,
    { version, by }: RequestDecision = {},
  ): Promise<AppRequest> {
    mustBeEnabled(site);
    const found = await find(site, id);
    if (!found) throw new OAuthError('invalid_request', `there is no request ${id} at ${site.name}`, { status: 404 });
    const { record } = found;
    const isOther = version !== undefined && version !== versionOf(record);
    if (record.decision !== undefined || isOther) throw conflictOn(id, record);
    const request = await save(action, site, { ...record, ...decision, by, at: epochSeconds() }, found);
    // The answer stands, whatever becomes of telling it.
    await news.tell(site.id, request.memberId, id, { what: 'answer', at: request.at });
    return request;
  }
  return {
    async grant(site, id, clientId, made) {
      if (!(await applications.find(site, clientId))) throw unknown(site, clientId);
      return decide('request.granted', site, id, { decision: 'granted', client_id: clientId }, made);
    },
    allow: async (site, id, made) => decide('request.granted', site, id, { decision: 'granted' }, made),
    decline: async (site, id, answer = '', made) =>
      decide('request.declined', site, id, { decision: 'declined', answer: bounded(answer) }, made),
  };
}

/** A version is what the member has written; a decision leaves that as it is. */
function versionOf({ client_name, redirect_uris, note, connects }: AppRequestRecord): string {
  return digest(JSON.stringify([client_name, redirect_uris, note, ...(connects === undefined ? [] : [connects])]));
}

function requestOf(record: AppRequestRecord): AppRequest {
  const { member_id: memberId, app, client_name: clientName, redirect_uris: redirectUris, note, at } = record;
  return {
    id: idOf(record),
    memberId,
    app: isKnownAppId(app) ? app : 'other',
    clientName,
    redirectUris,
    note,
    at,
    version: versionOf(record),
    status: record.decision ?? 'open',
    ...(record.connects !== undefined && { connects: record.connects }),
    ...(record.scopes && { scopes: record.scopes }),
    ...(record.client_id !== undefined && { clientId: record.client_id }),
    ...(record.answer !== undefined && { answer: record.answer }),
    ...(record.by !== undefined && { by: record.by }),
  };
}

/** What everybody else reads of them. */
async function withoutTimes(requests: readonly OwnRequest[]): Promise<AppRequest[]> {
  return requests.map(({ answeredAt: _at, ...request }) => request);
}

async function inForce(
  decisionOn: DecisionFinder,
  record: AppRequestRecord,
  roles?: readonly string[],
): Promise<OwnRequest> {
  const request = requestOf(record);
  const decision = await decisionOn(record, roles);
  const status = statusInForce(request, decision);
  return status === request.status ? request : { ...request, status, answeredAt: decision?.at };
}

function hasStatus({ status }: AppRequest, wanted: RequestStatus | 'decided'): boolean {
  return wanted === 'decided' ? status !== 'open' : status === wanted;
}

function isKept({ at }: AppRequestRecord): boolean {
  return at + keptSeconds > epochSeconds();
}

function bounded(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length > maxText) throw new InvalidRequest(`a note or answer must have at most ${maxText} characters`);
  return trimmed;
}

function notKnown(app: string): InvalidRequest {
  const ids = knownApps.map(({ id }) => id);
  return new InvalidRequest(`${brief(app)} is not a known app${didYouMean(app, ids)}`);
}

/** Another administrator has decided, or the member asks for something else or has withdrawn it. */
function conflictOn(id: string, record: AppRequestRecord | undefined): OAuthError {
  if (!record || record.decision !== undefined) return new VersionConflict(`the request ${id}`, record);
  const { client_name: name, redirect_uris: uris } = record;
  const now = `it is now for ${JSON.stringify(name)} with ${uris.join(' ')}`;
  const text = `the member has changed the request ${id} since it was shown: ${now}; look at it again`;
  return new OAuthError('conflict', text, { status: 409 });
}

/** Requests that are no longer kept make room, then the one that was decided longest ago. None that is open does. */
async function makeRoom(store: RecordStore, { id: siteId, name }: Site): Promise<void> {
  const all = await store.list(siteId, kind);
  if (all.length < maxRequests) return;
  const over = all.filter((record) => !isKept(record));
  const decided = all.filter(({ decision }) => decision !== undefined).sort((a, b) => a.at - b.at);
  const leaving = over.length > 0 ? over : decided.slice(0, 1);
  if (leaving.length === 0) {
    const text = `${name} cannot have more than ${maxRequests} open requests; ask an administrator of the school directly`;
    throw new OAuthError('slow_down', text, { status: 429 });
  }
  await Promise.all(leaving.map((each) => store.remove(siteId, kind, idOf(each))));
}
