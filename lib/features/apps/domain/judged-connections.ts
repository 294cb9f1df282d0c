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

/** A connection to a client. */
export interface JudgedConnection extends GivenGrant {
  readonly clientId: string;
  /** Absent if it was not looked up: there was no time, or that failed. */
  readonly judgement?: Judgement | undefined;
  /** The person, if they were looked up and are at the school. */
  readonly member?: Member | undefined;
}

/** What is judged, and by what. */
interface Question {
  readonly clientIds: readonly string[];
  /** Whether people are looked up. */
  readonly isJudged: boolean;
  /** The rule that is held against the connections. @default the one in force */
  readonly rule?: AppRule | undefined;
}

/** All connections to some clients, some at a time. What is late is left out of the answer, and not waited for. */
export async function* judgedConnections(
  options: JudgeOptions,
  site: Site,
  { clientIds, isJudged, rule }: Question,
): AsyncGenerator<readonly JudgedConnection[], void, undefined> {
  const time = new Timeout(lookUpTime, () => new Error(`people were looked up for ${lookUpTime} ms`));
  try {
    for (const clientId of clientIds) {
      const ask = isJudged ? judgeOf(options, site, rule) : undefined;
      for await (const grants of grantsTo(options.store, site.id, clientId)) {
        yield await Promise.all(
          grants.map(async (grant) => {
            const connection = { ...grant, clientId };
            if (!ask) return connection;
            const judged = await inTime(time, () => ask(grant));
            return { ...connection, ...judged };
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

type Ask = (grant: GivenGrant) => Promise<Pick<JudgedConnection, 'judgement' | 'member'>>;

/** What is the same for all connections to a client is looked up once. */
function judgeOf({ store, platform, access, findClient }: JudgeOptions, site: Site, rule: AppRule | undefined): Ask {
  let client: Promise<ClientMetadata | undefined> | undefined;
  let says: Promise<SchoolSays> | undefined;
  const ofSchool = async (used: UsedClient): Promise<SchoolSays> => {
    const found = await access.lookUps({ site, client: used, memberId: undefined }).school();
    return rule ? { ...found, rule } : found;
  };
  const lookups: Partial<PermissionLookups> = {
    client: (id) => (client ??= findClient(site.id, id)),
    lookUps: (_site, used, memberId) => access.lookUps({ site, client: used, memberId }, (says ??= ofSchool(used))),
  };
  return async ({ id, memberId }) => {
    const [found, member] = await Promise.all([store.find(site.id, 'Grant', id), platform.findMember(site, memberId)]);
    if (!found) return { judgement: 'waiting' };
    const permission = await access.permissionAtRefresh(site, found.record, { ...lookups, member: async () => member });
    return { judgement: judge(permission), member };
  };
}
