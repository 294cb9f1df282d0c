import type { AppRequest } from '../../../core/applications/request.ts';
import { VersionConflict } from '../../../core/clients/expected-version.ts';
import type { ListedApp } from '../../../core/apps/apps.ts';
import type { AppTarget } from '../../../core/access/app-rule.ts';
import { namedApp } from '../../../core/apps/named-app.ts';
import type { Member } from '../../../host/school-platform.ts';
import { inParts } from '../../../kernel/in-parts.ts';
import { isMetadataDocumentId } from '../../../core/clients/client-id.ts';
import type { AppAccess } from '../../../core/access/rule.ts';
import type { ApplicationPageRequest } from './page-request.ts';

/** What the school decides on for a request to connect a client as it is. */
export interface WantedApp {
  readonly client: ListedApp;
  /** Whose decision applies to the client now, and takes the place of the one before. */
  readonly decides: AppTarget;
  /** Whether a decision for this one person lets them connect it. */
  readonly forOne: boolean;
  /** Whether a decision for everyone does; a version of a metadata document is approved on its page. */
  readonly forEveryone: boolean;
  /** Whether the platform keeps the person from it, whatever the school decides. */
  readonly isRefused: boolean;
}

/** @param member - the person who asks, if they are still at the school */
export async function wantedApp(
  { findListed, ofPlatform, context }: ApplicationPageRequest,
  { connects: clientId }: AppRequest,
  member: Member | undefined,
): Promise<WantedApp | undefined> {
  if (clientId === undefined) return undefined;
  const { site } = context;
  const [client, forPerson] = await Promise.all([
    findListed(site, { clientId }),
    member && ofPlatform({ site, member, clientId }),
  ]);
  const { app, own, rule, status, from, decided } = client;
  // A decision on the client itself is in place of that on its app.
  const isOwn = own !== undefined || decided !== undefined || app === undefined;
  const isOfPerson = status === 'blocked' || rule.ask === true || rule.roles !== undefined;
  const isRefused = forPerson?.refused !== undefined;
  const isOpen = from !== 'platform' && forPerson?.rule.ask !== true;
  return {
    client,
    decides: isOwn ? { clientId } : { app },
    forOne: from !== 'platform' && !isRefused && isOfPerson,
    forEveryone: isOpen && !isRefused && !isMetadataDocumentId(clientId),
    isRefused,
  };
}

/**
 * Lets some people connect it, and nobody else. What is blocked for everyone becomes what each person needs an approval for.
 *
 * @param version - what the administrator saw of the decision that applies
 * @throws VersionConflict if there is another one by now
 */
export async function allowPeople(
  { apps, context }: ApplicationPageRequest,
  memberIds: readonly string[],
  { client, decides }: WantedApp,
  version: string,
): Promise<void> {
  const { site, member } = context;
  const note = { by: member.id };
  const { app, clientId = '', rule, status, decided } = client;
  const isBlocked = status === 'blocked';
  if (isBlocked)
    await apps.set(site, namedApp(decides), { ...rule, access: 'allowed', ask: true }, { ...note, version });
  else if (decided && client.version !== version) throw new VersionConflict(clientId, decided);
  const isDecided = isBlocked || decided !== undefined;
  const named = app ?? { clientId };
  for await (const some of inParts(memberIds, atOnce)) {
    const allow = (memberId: string) =>
      apps.allowPerson(site, named, memberId, { ...note, version: isDecided ? undefined : version });
    await Promise.all(some.map(allow));
  }
}

/** People for whom something is written at a time. */
export const atOnce = 20;

/** What one answer decides for all who have some roles. */
export interface ForMany {
  readonly access: Extract<AppAccess, 'allowed' | 'view_only'>;
  /** @default everyone who may use such a client */
  readonly roles?: readonly string[] | undefined;
}

/**
 * Lets everyone connect it, or everyone with some roles; who could before still can. What the school has limited it to stays. A version of a
 * metadata document is approved on its page.
 *
 * @throws as `allowPeople`
 */
export async function allowMany(
  { apps, context }: ApplicationPageRequest,
  { client, decides }: WantedApp,
  { access, roles: given }: ForMany,
  version: string,
): Promise<void> {
  const { roles: before, ask, ...limits } = client.rule;
  const isOpenToAll = limits.access !== 'blocked' && ask !== true && before === undefined;
  const kept = limits.access === 'blocked' || ask === true ? [] : (before ?? []);
  const roles = given && !isOpenToAll ? { roles: [...new Set([...kept, ...given])] } : {};
  await apps.set(context.site, namedApp(decides), { ...limits, ...roles, access }, { by: context.member.id, version });
}
