import * as z from 'zod';
import { granteesOf } from '../access/grantees.ts';
import type { AppTarget } from '../access/app-rule.ts';
import { InvalidRequest } from '../../kernel/errors.ts';
import { illFormedAt } from '../../kernel/well-formed.ts';
import { type Grantee, granteeName } from '../../records/grantee.ts';
import type { GrantRecord } from '../../records/codec.ts';
import type { RecordStore } from '../../records/record-store.ts';
import type { GivenGrant } from '../../records/store.ts';

/** Some grants of a school, in the order of the store's own lists. */
export interface GrantStep {
  readonly grants: readonly GivenGrant[];
  /** Where the next step begins; absent after the last one. A step can be empty. */
  readonly next?: string | undefined;
}

/** Whose grants are walked through: those of an app or client. */
export interface WalkedApp {
  readonly grantees: readonly Grantee[];
  /** Whether a grant is to it. */
  readonly has: (grant: GrantRecord) => boolean;
}

interface AppSources {
  readonly store: RecordStore;
  readonly rules: {
    readonly appIdOf: (clientId: string) => string | undefined;
    readonly clientsInCode: (app: string) => readonly string[];
  };
}

/** All clients of an app, also those with a rule of their own. Those that registered themselves stand together in the lists of the store. */
export async function walkedApp({ store, rules }: AppSources, siteId: string, target: AppTarget): Promise<WalkedApp> {
  const first = granteesOf(target, rules.clientsInCode);
  const others = 'app' in target ? await connectedAs(store, rules, siteId, target.app) : [];
  const byName = new Map([...first, ...others].map((grantee) => [granteeName(grantee), grantee]));
  const clientIds = new Set([...byName.values()].flatMap((each) => ('clientId' in each ? each.clientId : [])));
  const apps = new Set([...byName.values()].flatMap((each) => ('app' in each ? each.app : [])));
  return {
    grantees: [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, grantee]) => grantee),
    has: ({ clientId, app }) => clientIds.has(clientId) || (app !== undefined && apps.has(app)),
  };
}

async function connectedAs(
  store: RecordStore,
  { appIdOf }: AppSources['rules'],
  siteId: string,
  app: string,
): Promise<Grantee[]> {
  const connected = await store.list(siteId, 'ConnectedClient');
  return connected.flatMap(({ client_id: clientId, app: own = appIdOf(clientId), campus_app: registered }) =>
    own === app && registered === undefined ? { clientId } : [],
  );
}

/**
 * Reads some grants of a school or of an app, from `next` of the step before on: at most two reads of the store. A client or app with more grants
 * comes first; one that changes its place meanwhile can come twice, or not at all.
 *
 * @throws InvalidRequest for a place that no step returned
 */
export async function nextGrants(
  store: RecordStore,
  siteId: string,
  from: { readonly app: WalkedApp | undefined; readonly place: string; readonly limit: number },
): Promise<GrantStep> {
  const { app, place, limit } = from;
  const at = placeIn(place);
  const list = (after: string | undefined) => (app ? nextOf(app, after) : nextUsed(store, siteId, after));
  const current = granteeAt(at);
  const { grantee, rest } = current ? { grantee: current, rest: at.rest } : await list(at.rest);
  const { entries, next: after } = grantee
    ? await store.grantsOf(siteId, { ...grantee, after: at.after, limit })
    : { entries: [], next: undefined };
  const isLast = typeof after !== 'string' && rest === undefined;
  const next = typeof after === 'string' ? { ...grantee, after, rest } : { rest };
  return { grants: entries, ...(!isLast && { next: textOf(next) }) };
}

const placeSchema = z.strictObject({
  /** Whose grants are being read, and after which of them. */
  app: z.string().optional(),
  clientId: z.string().optional(),
  after: z.string().optional(),
  /** After which place of the list of clients and apps the walk goes on. Absent after the last of them. */
  rest: z.string().optional(),
});

type Place = z.infer<typeof placeSchema>;

interface NextGrantee {
  readonly grantee: Grantee | undefined;
  readonly rest: string | undefined;
}

function nextOf({ grantees }: WalkedApp, after = ''): NextGrantee {
  const [grantee, following] = grantees.filter((each) => granteeName(each) > after);
  return { grantee, rest: grantee && following && granteeName(grantee) };
}

async function nextUsed(store: RecordStore, siteId: string, after: string | undefined): Promise<NextGrantee> {
  const { entries, next } = await store.clientsByUse(siteId, { after, limit: 1 });
  const [used] = entries;
  const grantee = used && ('app' in used ? { app: used.app } : { clientId: used.clientId });
  return { grantee, rest: next ?? undefined };
}

function granteeAt({ app, clientId }: Place): Grantee | undefined {
  if (app !== undefined) return { app };
  return clientId === undefined ? undefined : { clientId };
}

function textOf(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

function placeIn(text: string): Place {
  if (text === '') return {};
  const { success, data } = placeSchema.safeParse(parsed(Buffer.from(text, 'base64url').toString()));
  if (!success || illFormedAt(data)) throw new InvalidRequest('cursor must be the next of the previous page');
  return data;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
