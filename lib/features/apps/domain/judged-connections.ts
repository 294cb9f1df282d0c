import type { Access } from '../../../core/access/access.ts';
import type { AppRule } from '../../../core/access/rule.ts';
import type { SchoolSays } from '../../../core/access/school-rules.ts';
import type { PermissionLookups } from '../../../core/access/token-permission.ts';
import type { UsedClient } from '../../../core/access/used-client.ts';
import { judge, type Judgement } from '../../../core/grants/judged-grants.ts';
import type { HostPlatform } from '../../../host/checked-platform.ts';
import type { Member, Site } from '../../../host/school-platform.ts';
import { Timeout } from '../../../kernel/timeout.ts';
import type { ClientMetadata } from '../../../records/codec.ts';
import type { RecordStore } from '../../../records/record-store.ts';
import type { GivenGrant } from '../../../records/store.ts';

/** With more connections, none is looked at. */
export const maxJudged = 500;

/** Connections that are looked at together. */
const atOnce = 20;

/** Milliseconds in which people are looked up. */
const lookUpTime = 2000;

export interface JudgeOptions {
  readonly store: RecordStore;
  readonly platform: Pick<HostPlatform, 'findMember'>;
  readonly access: Pick<Access, 'permissionAtRefresh' | 'lookUps'>;
  readonly findClient: (siteId: string, clientId: string) => Promise<ClientMetadata | undefined>;
}

/** What is found of a connection. */
interface Judged {
  readonly judgement: Judgement;
  /** The person, if they are at the school. */
  readonly member?: Member | undefined;
}

/** A connection to a client. */
export interface LookedUp<T> extends GivenGrant {
  readonly clientId: string;
  /** Absent if it was not looked up: there was no time, or that failed. */
  readonly found?: T | undefined;
}

export type JudgedConnection = LookedUp<Judged>;

/** What is judged, and by what. */
interface Question {
  readonly clientIds: readonly string[];
  /** Whether people are looked up. */
  readonly isJudged: boolean;
  /** The rule that is held against the connections. @default the one in force */
  readonly rule?: AppRule | undefined;
}

/** All connections to some clients, some at a time, with what a rule leaves to them. */
export function judgedConnections(
  options: JudgeOptions,
  site: Site,
  { clientIds, isJudged, rule }: Question,
): Connections<Judged> {
  const askOf = (): Ask<Judged> | undefined => (isJudged ? judgeOf(options, site, rule) : undefined);
  return connectionsTo(options.store, site, clientIds, askOf);
}

/** The same, with the person alone; nobody for who has left the school. */
export function peopleConnected(
  { store, platform }: Pick<JudgeOptions, 'store' | 'platform'>,
  site: Site,
  clientIds: readonly string[],
): Connections<{ readonly member: Member | undefined }> {
  const ask: Ask<{ readonly member: Member | undefined }> = async ({ memberId }) => ({
    member: await platform.findMember(site, memberId),
  });
  return connectionsTo(store, site, clientIds, () => ask);
}

type Connections<T> = AsyncGenerator<readonly LookedUp<T>[], void, undefined>;

type Ask<T> = (grant: GivenGrant) => Promise<T>;

/** Looks up some at a time. What is late is left out of the answer, and not waited for. */
async function* connectionsTo<T>(
  store: RecordStore,
  site: Site,
  clientIds: readonly string[],
  askOf: () => Ask<T> | undefined,
): Connections<T> {
  const time = new Timeout(lookUpTime, () => new Error(`people were looked up for ${lookUpTime} ms`));
  try {
    for (const clientId of clientIds) {
      const ask = askOf();
      for await (const grants of grantsTo(store, site.id, clientId)) {
        yield await Promise.all(
          grants.map(async (grant) => {
            const found = ask && (await inTime(time, () => ask(grant)));
            return { ...grant, clientId, found };
          }),
        );
      }
    }
  } finally {
    time.clear();
  }
}

/** A look-up that is late or fails says nothing. The platform and the store report their faults. */
async function inTime<T>(time: Timeout, lookUp: () => Promise<T>): Promise<T | undefined> {
  try {
    time.throwIfAborted();
    return await time.within(lookUp());
  } catch {
    return undefined;
  }
}

/**
 * The grants to a client, each once. All are read before the first is returned: one that is written meanwhile changes its place. One that is allowed again
 * comes first then, so the front is read until it has nothing new.
 */
async function* grantsTo(
  store: RecordStore,
  siteId: string,
  clientId: string,
): AsyncGenerator<readonly GivenGrant[], void, undefined> {
  const seen = new Set<string>();
  for (let found = await unseen(store, siteId, clientId, seen); found.length > 0;) {
    for (let from = 0; from < found.length; from += atOnce) yield found.slice(from, from + atOnce);
    found = await unseen(store, siteId, clientId, seen);
  }
}

/** The most entries of a page. */
const pageSize = 100;

/** Reads the list until a page has nothing new. */
async function unseen(
  store: RecordStore,
  siteId: string,
  clientId: string,
  seen: Set<string>,
): Promise<readonly GivenGrant[]> {
  const found: GivenGrant[] = [];
  let after: string | undefined = '';
  while (after !== undefined) {
    const { entries, next } = await store.grantsOf(siteId, { clientId, after, limit: pageSize });
    const fresh = entries.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    found.push(...fresh);
    const isKnown = entries.length > 0 && fresh.length === 0;
    after = isKnown ? undefined : (next ?? undefined);
  }
  return found;
}

/** What is the same for all connections to a client is looked up once. */
function judgeOf(
  { store, platform, access, findClient }: JudgeOptions,
  site: Site,
  rule: AppRule | undefined,
): Ask<Judged> {
  let client: Promise<ClientMetadata | undefined> | undefined;
  let says: Promise<SchoolSays> | undefined;
  const ofSchool = async (used: UsedClient): Promise<SchoolSays> => {
    const found = await access.lookUps({ site, client: used, memberId: undefined }).school();
    return rule ? { ...found, rule } : found;
  };
  const lookups: Partial<PermissionLookups> = {
    client: (id) => (client ??= findClient(site.id, id)),
    lookUps: (_site, used, memberId) =>
      access.lookUps({ site, client: used, memberId }, () => (says ??= ofSchool(used))),
  };
  return async ({ id, memberId }) => {
    const [found, member] = await Promise.all([store.find(site.id, 'Grant', id), platform.findMember(site, memberId)]);
    if (!found) return { judgement: 'waiting' };
    const permission = await access.permissionAtRefresh(site, found.record, { ...lookups, member: async () => member });
    return { judgement: judge(permission), member };
  };
}
