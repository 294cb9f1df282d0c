import type { ProgramRequest } from '../../../core/applications/request.ts';
import type { ListedProgram, ProgramTarget } from '../../../core/decisions/program-rule.ts';
import type { Member } from '../../../host/school-platform.ts';
import { targetPath } from '../../../pages/kit/console.ts';
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

/** The buttons with which the school lets somebody connect a client; the button that declines is beside them. */
export function wantedActions(
  t: Translator,
  { path, context, connectionsPath }: ApplicationPageRequest,
  { id, version, clientName }: ProgramRequest,
  { wanted, member }: { readonly wanted: WantedProgram; readonly member: Member | undefined },
): Html {
  const name = shortName(member?.name ?? '');
  const client = shortName(clientName);
  const hint =
    wanted.client.status === 'blocked' && html`<span class="hint" id="one-${id}">${t.html('asked.one.blocked')}</span>`;
  const one = html`<form method="post" action="${path}/asked">${hiddenFields(context, { id, version, action: 'one' })}
${hint}<p><button class="primary small" type="submit"${hint && html` aria-describedby="one-${id}"`}>${t.html('asked.one', { name })}</button></p></form>`;
  return html`${wanted.client.from === 'platform' && html`<p class="notice">${t.html('rule.platform')}</p>`}
${member && wanted.forOne && one}
${connectionsPath !== undefined && html`<p><a class="button small" href="${targetPath(connectionsPath, wanted.decides)}&amp;request=${id}" aria-label="${t.text('asked.everyone.one', { client })}">${t.html('asked.everyone')}</a></p>`}`;
}
