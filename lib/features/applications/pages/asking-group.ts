import { isVerified } from '../../../pages/kit/trust.ts';
import type { AppRequest, RequestGroup } from '../../../core/applications/request.ts';
import { identityScopes, splitScope } from '../../../core/scopes/scopes.ts';
import type { Member } from '../../../host/school-platform.ts';
import { inParts } from '../../../kernel/in-parts.ts';
import { isOfApp } from './decided-requests.ts';
import { type ApplicationPageRequest, toolScopes } from './page-request.ts';
import { type WantedApp, wantedApp } from './requested-app.ts';

/** People of one group whose names are looked up for a page. */
export const maxNamed = 20;

/** Somebody who asks. */
export interface Asker {
  readonly request: AppRequest;
  /** Absent for somebody who is no longer at the school. */
  readonly member: Member | undefined;
}

/** People who ask for one app, with what an administrator decides by. */
export interface AskingGroup extends RequestGroup {
  /** Those whose names the page has. */
  readonly askers: readonly Asker[];
  /** What the school decides on. @default an application that it creates */
  readonly wanted: WantedApp | undefined;
  /** How many of them have which role; absent if not all were looked up. */
  readonly roles: ReadonlyMap<string, number> | undefined;
  /** What the app would get. */
  readonly scopes: readonly string[];
  /** Whether the app only says itself what it is. */
  readonly isClaimed: boolean;
}

/** @param page - which of the people are named */
export async function askingGroup(
  request: ApplicationPageRequest,
  group: RequestGroup,
  page = 1,
): Promise<AskingGroup> {
  const askers = await askersOf(request, group.requests.slice((page - 1) * maxNamed, page * maxNamed));
  const [first] = askers;
  const wanted = first && (await wantedApp(request, group.latest, first.member));
  const isWhole = askers.length === group.requests.length && askers.every(({ member }) => member !== undefined);
  return {
    ...group,
    askers,
    wanted,
    roles: isWhole ? rolesOf(askers) : undefined,
    scopes: await scopesOf(request, group),
    isClaimed: isClaimed(group, wanted),
  };
}

/** What the platform, the school or a metadata document has made is verified, wherever it sends people. */
function isClaimed({ requests }: RequestGroup, wanted: WantedApp | undefined): boolean {
  const { source } = wanted?.client ?? {};
  const isMade = source !== undefined && isVerified({ source });
  return !isMade && requests.some((each) => !isOfApp(each));
}

/** Looks up people, twenty at a time. */
export async function askersOf(
  { kit, context }: ApplicationPageRequest,
  requests: readonly AppRequest[],
): Promise<readonly Asker[]> {
  const askers: Asker[] = [];
  for await (const some of inParts(requests, maxNamed)) {
    const found = some.map(async (each) => ({
      request: each,
      member: await kit.platform.findMember(context.site, each.memberId),
    }));
    askers.push(...(await Promise.all(found)));
  }
  return askers;
}

/** The first role of a person is their highest. */
export function roleOf({ roles: [highest = ''] }: Member): string {
  return highest;
}

/** The role of most people first. */
function rolesOf(askers: readonly Asker[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { member } of askers) if (member) counts.set(roleOf(member), (counts.get(roleOf(member)) ?? 0) + 1);
  return new Map([...counts].sort(([, a], [, b]) => b - a));
}

/** What all of them asked for; what the client can ask for, where that was not noted. */
async function scopesOf(request: ApplicationPageRequest, group: RequestGroup): Promise<readonly string[]> {
  const { clients, context } = request;
  const { connects } = group.latest;
  if (connects === undefined) return [...identityScopes, ...toolScopes(request, 'member')];
  const asked = new Set(group.requests.flatMap(({ scopes = [] }) => scopes));
  if (asked.size > 0) return [...asked];
  return splitScope((await clients(context.site.id, connects, 'identify'))?.scope);
}

/** Whether one press makes an application for it: its addresses are known. */
export function isReady({ latest }: RequestGroup): boolean {
  return latest.connects === undefined && latest.redirectUris.length > 0;
}
