import type { ClientFinder } from '../../../core/clients/client-finder.ts';
import { isMetadataDocumentId } from '../../../core/clients/client-id.ts';
import { clientInfo } from '../../../core/clients/client-metadata.ts';
import { clientVersion } from '../../../core/access/used-client.ts';
import { isKnownAppId, knownApps } from '../../../core/known-apps/known-apps.ts';
import type { ShownVersions } from '../../../core/access/app-review.ts';
import type { DocumentSeen } from '../../../core/access/shown-documents.ts';
import { field, type Form } from '../../../http/body.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import { OAuthError } from '../../../kernel/errors.ts';
import { targetPath } from '../../../pages/kit/console.ts';
import { html } from '../../../pages/kit/markup.ts';
import { hiddenFields, memberPage, type MemberPageContext } from '../../../pages/kit/member-page.ts';
import type { MemberPageRequest, PageResult } from '../../../pages/kit/page-access.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { backToApps } from './reviews-page.ts';

export interface AllowAppOptions {
  readonly clients: ClientFinder;
  readonly documents: ShownVersions;
  /** Notes that an administrator has looked a metadata document up, which nobody has asked for yet. */
  readonly recordLookedUp: DocumentSeen;
}

type AllowRequest = AllowAppOptions & MemberPageRequest;

/** In characters, as for a `client_id`. */
const maxEntered = 2048;

/** Asks which app, before anybody has asked for it. The decision is made on its page. */
export function allowAppPage(
  context: MemberPageContext,
  entered = '',
  problem?: Extract<TextKey, `allow.problem.${string}`>,
): PageBuilder {
  const described = problem === undefined ? 'name-hint' : 'name-problem name-hint';
  return memberPage(context, {
    title: 'allow.title',
    status: problem === undefined ? 200 : 400,
    hasProblems: problem !== undefined,
    header: (t, heading) => html`${backToApps(t, context.path)}${heading}`,
    body: (t) => html`
<form method="post" action="${context.path}?view=allow" novalidate>${hiddenFields(context, { action: 'look-up' })}
<div class="field"><label for="name">${t.html('allow.app')}</label>
<span class="hint" id="name-hint">${t.html('allow.hint')}</span>${problem !== undefined && html`<span class="problem" id="name-problem" role="alert">${t.html(problem)}</span>`}
<input type="text" id="name" name="name" value="${entered}" maxlength="${maxEntered}" required autocomplete="off" aria-describedby="${described}"${problem !== undefined && html` aria-invalid="true" autofocus`}></div>
<div class="actions"><button class="primary" type="submit">${t.html('allow.show')}</button></div></form>`,
  });
}

/** Leads to the page of the app that was entered. A document is fetched under the same limits as for a person who connects it. */
export async function lookUpApp(request: AllowRequest, form: Form): Promise<PageResult> {
  const { clients, documents, recordLookedUp, context, call } = request;
  const { site, member, path } = context;
  const entered = (field(form, 'name') ?? '').trim().slice(0, maxEntered);
  const name = entered.toLowerCase();
  const app = isKnownAppId(name) ? name : knownApps.find((each) => each.name.toLowerCase() === name)?.id;
  if (app !== undefined) return targetPath(path, { app });
  if (!isMetadataDocumentId(entered)) return allowAppPage(context, entered, 'allow.problem.unknown');
  const address = targetPath(path, { clientId: entered });
  if (await documents.find(site, entered)) return address;
  try {
    const metadata = await clients(site.id, entered, { purpose: 'start', ctx: call.ctx, site });
    if (!metadata) return allowAppPage(context, entered, 'allow.problem.unreadable');
    await recordLookedUp(site, member.id, { ...clientInfo(metadata), digest: clientVersion(metadata) });
    return address;
  } catch (error) {
    if (!(error instanceof OAuthError) || error.status >= 500 || error.status === 429) throw error;
    return allowAppPage(context, entered, 'allow.problem.unreadable');
  }
}
