import type { ClientFinder } from '../../core/clients/finder.ts';
import { programOf } from '../../core/clients/metadata.ts';
import type { Site } from '../../host/school-platform.ts';
import { isProgramId, knownProgram } from '../../core/known-programs/known-programs.ts';
import type { AuditEvent } from '../../observe/audit-event.ts';
import { shortName } from '../kit/markup.ts';
import type { PageKit } from '../kit/page-access.ts';

/** What is looked up for a page: each client and each person of its events once. What fails is a fault, and without a name. */
export interface FoundNames {
  readonly client: (event: AuditEvent) => { readonly name?: string | undefined; readonly program?: string | undefined };
  readonly person: (memberId: string) => string | undefined;
}

export interface NameSources {
  readonly kit: PageKit;
  readonly clients: ClientFinder;
}

/** A log can have anything: what is longer than an id is not looked up, and no link leads to it. */
export const maxId = 300;

export async function findNames(
  { kit, clients }: NameSources,
  site: Site,
  shown: readonly AuditEvent[],
  log: readonly AuditEvent[],
): Promise<FoundNames> {
  const memberIds = shown.flatMap(({ memberId, actor }) => [memberId, actor.kind === 'client' ? undefined : actor.id]);
  const clientIds = shown.map(({ clientId }) => clientId);
  const [people, found] = await Promise.all([
    lookUp(memberIds, (id) => kit.platform.findMember(site, id)),
    lookUp(clientIds, (id) => clients(site.id, id, 'identify')),
  ]);
  const removed = new Map(log.flatMap(({ clientId, clientName }) => (clientName ? [[clientId, clientName]] : [])));
  return {
    client({ clientId = '', program: id }) {
      const client = found.get(clientId);
      const program = (client && programOf(client)?.id) ?? id ?? undefined;
      const known = program !== undefined && isProgramId(program) ? knownProgram(program).name : undefined;
      const name = client?.client_name || removed.get(clientId) || known || URL.parse(clientId)?.host;
      return { name: name ? shortName(name) : undefined, program };
    },
    person(id) {
      const member = people.get(id);
      return member && shortName(member.name || member.email);
    },
  };
}

async function lookUp<T>(
  ids: readonly (string | null | undefined)[],
  find: (id: string) => Promise<T | undefined>,
): Promise<Map<string, T>> {
  const known = [...new Set(ids)].filter((id): id is string => !!id && id.length <= maxId);
  const found = await Promise.all(known.map(async (id) => [id, await find(id).catch(() => undefined)] as const));
  return new Map(found.flatMap(([id, value]) => (value === undefined ? [] : [[id, value]])));
}
