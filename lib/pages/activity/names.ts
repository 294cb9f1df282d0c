import type { ClientFinder } from '../../core/clients/client-finder.ts';
import { appOf } from '../../core/clients/client-metadata.ts';
import type { LimitChoices } from '../../core/boundaries/limit-choices.ts';
import { type FoundLimits, findLimits } from './limits.ts';
import type { Site } from '../../host/school-platform.ts';
import { isKnownAppId, knownApp } from '../../core/known-apps/known-apps.ts';
import type { AuditEvent } from '../../observe/audit-event.ts';
import { type EventFilter, type NamedInFilter, peopleOf } from './events.ts';
import { shortName } from '../kit/markup.ts';
import type { PageKit } from '../kit/page-access.ts';
import { personValues } from '../kit/person.ts';
import type { AuditedClaims } from '../../observe/claimed-metadata.ts';

/** What is looked up for a page: each client and each person of its events once. What fails is a fault, and without a name. */
/** What is known of the client of an event. */
interface FoundClient {
  readonly name?: string | undefined;
  readonly app?: string | undefined;
}

export interface FoundNames {
  readonly client: (event: AuditEvent) => FoundClient;
  readonly person: (memberId: string) => string | undefined;
  readonly limits: FoundLimits;
}

export interface NameSources {
  readonly kit: PageKit;
  readonly clients: ClientFinder;
  readonly limits: LimitChoices;
}

/** A log can have anything: what is longer than an id is not looked up, and no link leads to it. */
export const maxId = 300;

/** Events whose people and whose clients are looked up. */
interface EventsByWhom {
  readonly people: readonly AuditEvent[];
  readonly clients: readonly AuditEvent[];
}

export async function findNames(
  { kit, clients, limits }: NameSources,
  site: Site,
  shown: readonly AuditEvent[] | EventsByWhom,
  log: readonly AuditEvent[],
): Promise<FoundNames> {
  const { people: ofPeople, clients: ofClients } = 'people' in shown ? shown : { people: shown, clients: shown };
  const memberIds = ofPeople.flatMap(({ memberId, actor }) => [
    memberId,
    actor.kind === 'client' ? undefined : actor.id,
  ]);
  const clientIds = ofClients.map(({ clientId }) => clientId);
  const [limited, people, found] = await Promise.all([
    findLimits({ platform: kit.platform, limits }, site, 'people' in shown ? [] : shown),
    lookUp(memberIds, (id) => kit.platform.findMember(site, id)),
    lookUp(clientIds, (id) => clients(site.id, id, 'identify')),
  ]);
  const removed = new Map(log.flatMap(({ clientId, clientName }) => (clientName ? [[clientId, clientName]] : [])));
  return {
    limits: limited,
    client({ clientId, app: id, claimed }) {
      const client = found.get(clientId ?? '');
      const app = (client && appOf(client)?.id) ?? id ?? undefined;
      const known = app !== undefined && isKnownAppId(app) ? knownApp(app).name : undefined;
      const name =
        client?.client_name || removed.get(clientId ?? '') || known || claimed?.name || idShown(clientId, claimed);
      return { name: name ? shortName(name) : undefined, app };
    },
    person(id) {
      const member = people.get(id);
      return member && personValues(member).name;
    },
  };
}

/** The host of a document, or what an app that nobody knows has sent. */
function idShown(clientId: string | undefined, claimed: AuditedClaims | undefined): string | undefined {
  const unknown = claimed?.clientId ?? undefined;
  return URL.parse(clientId ?? unknown ?? '')?.host || unknown;
}

/** Ids are looked up for a name that somebody has entered, of the latest so many people and clients. */
const maxNamed = 100;

/** Whom the filter means, where it has a name in place of an id. */
export async function findNamed(
  sources: NameSources,
  site: Site,
  log: readonly AuditEvent[],
  { person, app }: EventFilter,
): Promise<NamedInFilter> {
  const isPersonId = person === undefined || log.some((event) => peopleOf(event).includes(person));
  const isAppName = app !== undefined && !log.some((event) => event.app === app);
  const people = isPersonId
    ? []
    : firstOf(log, ({ memberId, actor }) => memberId ?? (actor.kind === 'client' ? undefined : actor.id));
  const clients = isAppName ? firstOf(log, ({ clientId }) => clientId) : [];
  if (isPersonId && !isAppName) return {};
  const found = await findNames(sources, site, { people, clients }, log);
  return {
    person: isPersonId ? undefined : (id) => has(found.person(id), person),
    app: isAppName ? (event) => isOf(found.client(event), app) : undefined,
  };
}

/** Events of a client in code do not say of which app it is. */
function isOf({ name, app: id }: FoundClient, app: string): boolean {
  return id === app || has(name, app);
}

function has(name: string | undefined, text: string): boolean {
  return name?.toLocaleLowerCase().includes(text.toLocaleLowerCase()) === true;
}

function firstOf(
  log: readonly AuditEvent[],
  idIn: (event: AuditEvent) => string | null | undefined,
): readonly AuditEvent[] {
  const first = new Map<string, AuditEvent>();
  for (const event of log) {
    const id = idIn(event);
    if (id && !first.has(id)) first.set(id, event);
    if (first.size === maxNamed) break;
  }
  return [...first.values()];
}

async function lookUp<T>(
  ids: readonly (string | null | undefined)[],
  find: (id: string) => Promise<T | undefined>,
): Promise<Map<string, T>> {
  const known = [...new Set(ids)].filter((id): id is string => !!id && id.length <= maxId);
  const found = await Promise.all(known.map(async (id) => [id, await find(id).catch(() => undefined)] as const));
  return new Map(found.flatMap(([id, value]) => (value === undefined ? [] : [[id, value]])));
}
