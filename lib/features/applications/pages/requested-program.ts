import type { ProgramRequest } from '../../../core/applications/request.ts';
import type { ListedProgram, ProgramTarget } from '../../../core/decisions/program-rule.ts';
import type { Member } from '../../../host/school-platform.ts';
import { requestsPath, targetPath } from '../../../pages/kit/console.ts';
import { isMetadataDocumentId } from '../../../core/clients/client-id.ts';
import type { ProgramAccess } from '../../../core/clients/client-status.ts';
import { html, type Html, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { hiddenFields } from '../../../pages/kit/member-page.ts';
import type { ApplicationPageRequest } from './page-request.ts';

/** What the school decides on for a request to connect a client as it is. */
export interface WantedProgram {
  readonly client: ListedProgram;
  /** Whose decision applies to the client now, and takes the place of the one before. */
  readonly decides: ProgramTarget;
  /** Whether a decision for this one person lets them connect it. */
  readonly forOne: boolean;
}

export async function wantedProgram(
  { programs, context }: ApplicationPageRequest,
  { connects: clientId }: ProgramRequest,
): Promise<WantedProgram | undefined> {
  if (clientId === undefined) return undefined;
  const client = await programs.find(context.site, { clientId });
  const { program, own, rule, status, from, decided } = client;
  // A decision on the client itself is in place of that on its program.
  const isOwn = own !== undefined || decided !== undefined || program === undefined;
  const isOfPerson = status === 'blocked' || rule.access === 'ask' || rule.roles !== undefined;
  return { client, decides: isOwn ? { clientId } : { program }, forOne: from !== 'platform' && isOfPerson };
}

/** Lets one person connect it. What is blocked for everyone becomes what each person is asked for. */
export async function allowOne(
  { programs, context }: ApplicationPageRequest,
  { memberId }: ProgramRequest,
  { client, decides }: WantedProgram,
): Promise<void> {
  const { site, member } = context;
  const note = { by: member.id };
  const { program, clientId = '', rule, status } = client;
  if (status === 'blocked') await programs.set(site, decides, { ...rule, access: 'ask' }, note);
  await programs.allowPerson(site, program === undefined ? { clientId } : { program }, memberId, note);
}

/** What one press decides for everyone. */
export type ForEveryone = Extract<ProgramAccess, 'allowed' | 'view_only'>;

/**
 * Lets everyone connect it who may use such a client; what the school has limited it to stays. A version of a metadata document is
 * approved, on its page.
 */
export async function allowEveryone(
  { programs, context }: ApplicationPageRequest,
  { client, decides }: WantedProgram,
  access: ForEveryone,
): Promise<void> {
  const { roles: _everyone, ...limits } = client.rule;
  await programs.set(context.site, decides, { ...limits, access }, { by: context.member.id });
}

export function isForEveryone({ client: { clientId = '', from } }: WantedProgram): boolean {
  return from !== 'platform' && !isMetadataDocumentId(clientId);
}

interface Asker {
  readonly wanted: WantedProgram;
  readonly member: Member | undefined;
  /** Whether the client only says itself what it is. */
  readonly isClaimed: boolean;
}

/** The buttons with which the school lets somebody connect a client, each one press; the button that declines is beside them. */
export function wantedActions(
  t: Translator,
  { path, context, connectionsPath }: ApplicationPageRequest,
  { id, version, clientName }: ProgramRequest,
  { wanted, member, isClaimed }: Asker,
): Html {
  const name = shortName(member?.name ?? '');
  const client = shortName(clientName);
  const hint =
    wanted.client.status === 'blocked' && html`<p class="hint" id="one-${id}">${t.html('asked.one.blocked')}</p>`;
  const press = (action: RequestAction, label: Html, isFirst: boolean, described?: Html | false): Html =>
    html`<form method="post" action="${requestsPath(path)}">${hiddenFields(context, { id, version, action })}<button${isFirst && html` class="primary"`} type="submit"${described}><span>${label}</span></button></form>`;
  const everyone = isForEveryone(wanted);
  return html`${wanted.client.from === 'platform' && html`<p class="notice">${t.html('rule.platform')}</p>`}
<div class="actions">${everyone && isClaimed && press('view', t.html('asked.view'), true)}
${everyone && press('everyone', t.html('asked.everyone'), !isClaimed)}
${member && wanted.forOne && html`${hint}${press('one', t.html('asked.one', { name }), !everyone, hint && html` aria-describedby="one-${id}"`)}`}
${connectionsPath !== undefined && html`<a class="button" href="${targetPath(connectionsPath, wanted.decides)}&amp;request=${id}" aria-label="${t.text('asked.open.one', { client })}">${t.html('asked.open')}</a>`}</div>`;
}

/** What a button of a request does. */
export type RequestAction = 'view' | 'everyone' | 'one' | 'create';
