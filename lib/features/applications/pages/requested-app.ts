import type { AppRequest } from '../../../core/applications/request.ts';
import { VersionConflict } from '../../../core/clients/expected-version.ts';
import type { ListedApp } from '../../../core/apps/apps.ts';
import type { AppTarget } from '../../../core/access/app-rule.ts';
import { namedApp } from '../../../core/apps/named-app.ts';
import type { Member } from '../../../host/school-platform.ts';
import { requestsPath, targetPath } from '../../../pages/kit/console.ts';
import { isMetadataDocumentId } from '../../../core/clients/client-id.ts';
import type { AppAccess } from '../../../core/access/rule.ts';
import { notice } from '../../../pages/kit/notice.ts';
import { html, type Html, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { hiddenFields } from '../../../pages/kit/member-page.ts';
import { personValues } from '../../../pages/kit/person.ts';
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
 * Lets one person connect it. What is blocked for everyone becomes what each person is asked for.
 *
 * @param version - what the administrator saw of the decision that applies
 * @throws VersionConflict if there is another one by now
 */
export async function allowOne(
  { apps, context }: ApplicationPageRequest,
  { memberId }: AppRequest,
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
  const named = app ?? { clientId };
  const isDecided = isBlocked || decided !== undefined;
  await apps.allowPerson(site, named, memberId, { ...note, version: isDecided ? undefined : version });
}

/** What one press decides for everyone. */
export type ForEveryone = Extract<AppAccess, 'allowed' | 'view_only'>;

/**
 * Lets everyone connect it who may use such a client; what the school has limited it to stays. A version of a metadata document is
 * approved, on its page.
 *
 * @throws as `allowOne`
 */
export async function allowEveryone(
  { apps, context }: ApplicationPageRequest,
  { client, decides }: WantedApp,
  access: ForEveryone,
  version: string,
): Promise<void> {
  const { roles: _everyone, ask: _each, ...limits } = client.rule;
  await apps.set(context.site, namedApp(decides), { ...limits, access }, { by: context.member.id, version });
}

interface Asker {
  readonly wanted: WantedApp;
  readonly member: Member | undefined;
  /** Whether the client only says itself what it is. */
  readonly isClaimed: boolean;
}

/** The buttons with which the school lets somebody connect a client, each one press; the button that declines is beside them. */
export function wantedActions(
  t: Translator,
  { path, context, connectionsPath }: ApplicationPageRequest,
  { id, version, clientName }: AppRequest,
  { wanted, member, isClaimed }: Asker,
): Html {
  const name = member ? personValues(member).name : '';
  const client = shortName(clientName);
  const hint =
    wanted.client.status === 'blocked' && html`<p class="hint" id="one-${id}">${t.html('asked.one.blocked')}</p>`;
  const decision = wanted.client.version;
  const press = (action: RequestAction, label: Html, isFirst: boolean, described?: Html | false): Html =>
    html`<form method="post" action="${requestsPath(path)}">${hiddenFields(context, { id, version, decision, action })}<button${isFirst && html` class="primary"`} type="submit"${described}><span>${label}</span></button></form>`;
  const everyone = wanted.forEveryone;
  // Where the school decides on each person, a decision for everyone is not the first that comes to mind.
  const oneFirst = wanted.forOne && member !== undefined && (!everyone || wanted.client.rule.ask === true);
  const one =
    member &&
    wanted.forOne &&
    html`${hint}${press('one', t.html('asked.one', { name }), oneFirst, hint && html` aria-describedby="one-${id}"`)}`;
  return html`${platformNotice(t, wanted, { client, name })}
<div class="actions">${oneFirst && one}
${everyone && isClaimed && press('view', t.html('asked.view'), !oneFirst)}
${everyone && press('everyone', t.html('asked.everyone'), !isClaimed && !oneFirst)}
${!oneFirst && one}
${connectionsPath !== undefined && html`<a class="button" href="${targetPath(connectionsPath, wanted.decides)}&amp;request=${id}" aria-label="${t.text('asked.open.one', { client })}">${t.html('asked.open')}</a>`}</div>`;
}

/** Who can change what no decision of the school does. */
function platformNotice(
  t: Translator,
  { client: { from }, isRefused }: WantedApp,
  names: Readonly<Record<'client' | 'name', string>>,
): Html | false {
  if (isRefused) return notice('warn', t.html('asked.platform', names));
  return from === 'platform' && notice('plain', t.html('rule.platform'));
}

/** What a button of a request does. */
export type RequestAction = 'view' | 'everyone' | 'one' | 'create';
