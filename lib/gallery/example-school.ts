import type { Only } from '../core/boundaries/boundary.ts';
import { clientMetadata, markOf } from '../core/clients/client-metadata.ts';
import type { ClientInfo, ClientAudience } from '../core/clients/client.ts';
import { clientUse, documentUse } from '../core/access/used-client.ts';
import { limitGrant } from '../core/grants/changes.ts';
import { writeConsent } from '../core/grants/consent.ts';
import { endingId } from '../core/news/news.ts';
import type { Ending } from '../core/news/news-row.ts';
import type { KnownAppId } from '../core/known-apps/known-apps.ts';
import type { ShownDocument } from '../core/access/shown-documents.ts';
import type { Scope, ScopeCatalogue } from '../core/scopes/scopes.ts';
import { features } from '../features/features.ts';
import type { Member, Site } from '../host/school-platform.ts';
import { epochSeconds } from '../kernel/clock.ts';
import { digest } from '../kernel/crypto.ts';
import { classOf, clients, people, someScopes } from '../pages/example-clients.ts';
import type { Parts } from '../features/parts.ts';
import { grantIdOf, serializeRecord } from '../records/codec.ts';
import { blockedId, boardId, exampleDocuments, formsOfSecrets } from '../pages/example-ids.ts';

/** What members of a school can give. */
export function memberScopes(catalogue: ScopeCatalogue): readonly Scope[] {
  return someScopes(catalogue, 'member', { read: 1, write: 1 });
}

/** What the first application of the school can ask for. */
export function applicationScopes(catalogue: ScopeCatalogue): readonly Scope[] {
  return [...someScopes(catalogue, 'member', { identity: 2 }), ...memberScopes(catalogue)];
}

/** A school at which something of everything has happened. Whatever has a method is written by it. */
export async function foundSchool(parts: Parts, site: Site, only: Only | undefined): Promise<void> {
  await addApplications(parts, site);
  await connectApps(parts, site);
  await connectMemberApps(parts, site, only);
  await showDocuments(parts, site);
  await askForApps(parts, site);
  await tellNews(parts, site);
}

const { member, operator, teacher } = people;
const { ofMembers, ofOperators, service } = clients;

/** What a client may do, and how it proves who it is. */
interface Granted {
  readonly scopes: readonly Scope[];
  readonly secret?: string;
}

interface NewClient extends Granted {
  readonly clientId: string;
  readonly clientName: string;
  readonly audience: ClientAudience;
  readonly redirectUris: readonly string[];
  readonly clientUri?: string | undefined;
  readonly app?: KnownAppId | undefined;
}

const day = 24 * 60 * 60;

/** A client as it is stored, whether or not the campus takes such a client now. */
async function addClient(
  { settings, core }: Parts,
  site: Site,
  source: 'application' | 'registered',
  { secret, ...client }: NewClient,
): Promise<void> {
  const record = serializeRecord('Client', {
    ...clientMetadata(settings.enabled.known, { ...client, secretDigest: secret && digest(secret) }),
    client_id_issued_at: epochSeconds() - 90 * day,
    campus_source: source,
    ...(source === 'application' && { campus_created_by: operator.id }),
  });
  const listed = source === 'application';
  await core.records.store.save(site.id, { kind: 'Client', id: client.clientId, record, listed });
}

async function addApplications(parts: Parts, site: Site): Promise<void> {
  const { settings, core, school } = parts;
  const { catalogue } = settings;
  const identity = someScopes(catalogue, 'member', { identity: 2 });
  const managed = someScopes(catalogue, 'operator', { read: 2, write: 1 });
  const secret = 'an-example-of-a-secret';
  const add = ({ clientId, clientName, audience, redirectUris, clientUri }: ClientInfo, own: Granted): Promise<void> =>
    addClient(parts, site, 'application', { clientId, clientName, audience, redirectUris, clientUri, ...own });
  await add(ofMembers, { scopes: applicationScopes(catalogue), secret });
  await add(ofOperators, { scopes: [...identity, ...managed] });
  await add(service, { scopes: managed, secret });
  for (const { clientId } of [ofMembers, ofOperators, service]) {
    await school.connections.clientActive(site.id, { clientId, app: undefined }, markOf(digest(secret)));
  }
  const { clientId } = ofMembers;
  const form = { siteId: site.id, memberId: operator.id, form: formsOfSecrets.shown };
  await school.applications.secrets.reserve(form, () => ({ clientId, clientSecret: secret }));
  // Its secret waited for too long.
  await core.records.store.save(site.id, {
    kind: 'OneTimeSecret',
    id: digest(formsOfSecrets.twice),
    record: serializeRecord('OneTimeSecret', { client_id: clientId, secret: 'gone' }),
  });
}

/** Apps that operators have connected, and the rules for them. */
async function connectApps(parts: Parts, site: Site): Promise<void> {
  const { apps } = parts.school.apps;
  const scopes = someScopes(parts.settings.catalogue, 'operator', { read: 2, write: 1 });
  for (const [clientName, app] of [
    ['Claude', 'claude'],
    ['ChatGPT', 'chatgpt'],
  ] as const) {
    const client = { ...clients.registered, clientId: `reg-${app}`, clientName, app, scopes };
    await addClient(parts, site, 'registered', client);
  }
  const note = { by: operator.id, note: 'It may read for our lessons, and change nothing.' };
  await apps.set(site, 'claude', { access: 'view_only', roles: ['owner', 'tutor'], scopes }, note);
  await apps.set(site, 'codex', { access: 'allowed', ask: true }, { by: operator.id });
  for (const memberId of [member.id, 'tom']) {
    await apps.allowPerson(site, 'claude', memberId, { by: operator.id });
  }
  const allowed = someScopes(parts.settings.catalogue, 'operator', { read: 2 });
  await connect(parts, site, { clientId: 'reg-claude', person: operator, people: 3, allowed });
  await connect(parts, site, { clientId: 'reg-chatgpt', person: operator, allowed });
  await leaveUnused(parts, site, 'reg-chatgpt');
}

const board = {
  clientName: 'Notice Board',
  audience: 'member',
  redirectUris: ['https://board.example/callback'],
} as const;

/** Apps that members have connected: one that can get more, one that a rule keeps from changing anything, one that was blocked since. */
async function connectMemberApps(parts: Parts, site: Site, only: Only | undefined): Promise<void> {
  const { catalogue } = parts.settings;
  const { apps } = parts.school.apps;
  const identity = someScopes(catalogue, 'member', { identity: 2 });
  const [read, write] = [{ read: 1 }, { write: 1 }].map((counts) => someScopes(catalogue, 'member', counts));
  const allowed = read ?? [];
  const declined = write ?? [];
  await connect(parts, site, {
    clientId: ofMembers.clientId,
    person: member,
    people: 12,
    allowed: [...identity, ...allowed],
    declined,
    devices: true,
  });
  await connect(parts, site, {
    clientId: ofMembers.clientId,
    person: teacher,
    people: 3,
    allowed: [...identity, ...allowed],
  });
  await connect(parts, site, { clientId: ofOperators.clientId, person: operator, people: 12, allowed: identity });
  await apps.set(site, { clientId: boardId }, { access: 'view_only' }, { by: operator.id });
  for (const clientId of [boardId, blockedId]) {
    const scopes = [...allowed, ...declined];
    await addClient(parts, site, 'registered', { ...board, clientId, scopes });
    await connect(parts, site, { clientId, person: member, allowed, declined, devices: true });
  }
  await apps.set(site, { clientId: blockedId }, { access: 'blocked' }, { by: operator.id });
  // Not by its method, which takes no type that is gone.
  const connection = { memberId: member.id, id: grantIdOf(member.id, boardId) };
  const { store } = parts.core.records;
  if (only) await limitGrant({ store, catalogue }, site, { ...connection, choice: only });
}

interface NewConnection {
  readonly clientId: string;
  readonly person: Member;
  /** How many people connect it, this person among them. @default 1 */
  readonly people?: number;
  readonly allowed: readonly Scope[];
  readonly declined?: readonly Scope[];
  /** Whether it is signed in on two devices of the person. @default false */
  readonly devices?: boolean;
}

async function connect(parts: Parts, site: Site, connection: NewConnection): Promise<void> {
  const { clientId, person, people: count = 1, allowed, declined = [], devices = false } = connection;
  const metadata = await parts.core.clients.findStored(site.id, clientId, 'identify');
  const use = metadata ? clientUse(metadata) : documentUse(clientId);
  for (const connecting of classOf(person, count)) {
    await writeConsent(parts.grants.consenting, { site, client: use, member: connecting }, () => ({
      requested: [...allowed, ...declined],
      allowed,
      declined,
    }));
  }
  await makeOlder(parts, site, grantIdOf(person.id, clientId));
  if (devices) await addDevices(parts, site, person.id, clientId);
}

/** The person has allowed it a month ago, and two days ago once more. */
async function makeOlder({ core: { records } }: Parts, site: Site, id: string): Promise<void> {
  const found = await records.store.find(site.id, 'Grant', id);
  if (!found) return;
  const { accountId: memberId, clientId, exp } = found.record;
  const now = epochSeconds();
  const record = serializeRecord('Grant', { ...found.record, iat: now - 30 * day, at: now - 2 * day });
  await records.store.save(site.id, { kind: 'Grant', id, record, ttl: exp - now, memberId, clientId });
  const noted = await records.store.find(site.id, 'ConnectedClient', digest(clientId));
  if (!noted) return;
  const older = serializeRecord('ConnectedClient', { ...noted.record, since: now - 30 * day });
  await records.store.save(site.id, { kind: 'ConnectedClient', id: digest(clientId), record: older, listed: true });
}

/** The app has not been used for months. */
async function leaveUnused({ core: { records, clients: known } }: Parts, site: Site, clientId: string): Promise<void> {
  const entry = { kind: 'ConnectedClient', id: digest(clientId) } as const;
  const found = await records.store.find(site.id, entry.kind, entry.id);
  if (!found) return;
  const record = serializeRecord(entry.kind, { ...found.record, at: epochSeconds() - 100 * day });
  await records.store.save(site.id, { ...entry, record, listed: true });
  known.connected.forget(site.id);
}

/** One that has just got tokens, and one of which nothing is known. */
async function addDevices(
  { core: { records, limits } }: Parts,
  site: Site,
  accountId: string,
  clientId: string,
): Promise<void> {
  const token = {
    kind: 'RefreshToken',
    record: serializeRecord('RefreshToken', { accountId, clientId }),
    grantId: grantIdOf(accountId, clientId),
  } as const;
  const ttl = limits.lifetimes(site).refreshToken;
  await records.store.save(site.id, { ...token, id: `${clientId}~laptop`, familyId: 'laptop', ttl });
  await records.store.save(site.id, { ...token, id: `${clientId}~phone`, familyId: 'phone' });
}

/** What operators were shown of metadata documents, and what was decided on them. */
async function showDocuments(parts: Parts, site: Site): Promise<void> {
  const { recordShown, documents } = parts.school.reviews;
  const { changed, undecided, approved } = exampleDocuments;
  const show = (shown: Partial<ShownDocument>, version: string): Promise<void> =>
    recordShown(site, operator.id, { ...clients.document, ...shown, digest: version });
  await show({ clientName: 'Planner beta', redirectUris: ['https://planner.example/old'] }, 'old');
  await documents.approve(site, changed.clientId, 'old', { by: operator.id });
  for (const { examples } of features) await examples?.store?.(parts.core.records);
  await show(changed, 'new');
  await show(undecided, 'new');
  await show(approved, 'new');
  await documents.approve(site, approved.clientId, 'new', { by: operator.id });
  const allowed = someScopes(parts.settings.catalogue, 'operator', { read: 2 });
  await connect(parts, site, { clientId: changed.clientId, person: operator, people: 3, allowed });
}

/** What people have asked for: two apps wait, one of them for three people, and three requests were answered. */
async function askForApps({ school, settings }: Parts, site: Site): Promise<void> {
  const { requests } = school.applications;
  const asked = { redirectUris: ['https://chess.example/callback'] };
  const by = operator.id;
  await requests.ask(site, member.id, {
    ...asked,
    app: 'other',
    clientName: 'Chess Club',
    note: 'For the chess club',
  });
  const scopes = memberScopes(settings.catalogue);
  const notices = { ...asked, clientId: blockedId, clientName: 'Notice Board', scopes };
  await requests.askToConnect(site, people.pupil.id, notices);
  await requests.askToConnect(site, operator.id, { ...notices, note: 'To plan the open day.' });
  await requests.askToConnect(site, member.id, { ...notices, note: 'To practise for the history exam.' });
  const chatgpt = await requests.askToConnect(site, member.id, {
    ...asked,
    clientId: ofOperators.clientId,
    clientName: 'ChatGPT',
    app: { id: 'chatgpt', verified: true },
  });
  await requests.allow(site, chatgpt.id, { by });
  const claude = await requests.ask(site, member.id, { ...asked, app: 'claude', clientName: 'Claude' });
  await requests.grant(site, claude.id, ofMembers.clientId, { by });
  const cursor = await requests.ask(site, member.id, { ...asked, app: 'cursor', clientName: 'Cursor' });
  await requests.decline(site, cursor.id, 'Please use VS Code.', { by });
}

/** What has become of apps of the teacher, each kind once. */
async function tellNews({ core, school }: Parts, site: Site): Promise<void> {
  const { requests } = school.applications;
  const { id: memberId } = teacher;
  const by = operator.id;
  const redirectUris = ['https://chess.example/callback'];
  const chat = { clientId: ofOperators.clientId, clientName: ofOperators.clientName, redirectUris };
  await requests.allow(site, (await requests.askToConnect(site, memberId, chat)).id, { by });
  const cursor = await requests.ask(site, memberId, { app: 'cursor', clientName: 'Cursor', redirectUris });
  await requests.decline(site, cursor.id, 'Please use VS Code.');
  // What was approved for the teacher is blocked for everyone.
  const again = { clientId: blockedId, clientName: 'Notice Board', redirectUris };
  await requests.allow(site, (await requests.askToConnect(site, memberId, again)).id, { by });
  const endings: readonly (readonly [what: Ending, clientId: string, clientName: string])[] = [
    ['off', 'reg-mirror', 'Course Mirror'],
    ['off', boardId, 'Notice Board'],
    ['disconnected', 'reg-claude', 'Claude'],
    ['changed', 'app-library', 'School Library'],
    ['removed', 'app-chess', 'Chess Club'],
  ];
  for (const [i, [what, clientId, clientName]] of endings.entries()) {
    const at = epochSeconds() - (i + 1) * day;
    await core.news.tell(site.id, memberId, endingId(clientId), { what, at, clientId, clientName });
  }
}
