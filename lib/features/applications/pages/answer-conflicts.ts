import type { AppRequest, RequestDecision } from '../../../core/applications/request.ts';
import type { DecidedBy } from '../../../core/clients/expected-version.ts';
import type { Form } from '../../../http/body.ts';
import { OAuthError } from '../../../kernel/errors.ts';
import { namedConflict, shownIn, staleText } from '../../../pages/kit/conflict.ts';
import { requestsPath } from '../../../pages/kit/console.ts';
import { memberMessage } from '../../../pages/kit/error-page.ts';
import type { Html, Translator } from '../../../pages/kit/markup.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import type { ApplicationPageRequest } from './page-request.ts';

/** The version that a form showed, with who decides. */
export function decisionOn(
  { context }: ApplicationPageRequest,
  form: Form,
): RequestDecision & { readonly version: string } {
  return { ...shownIn(form), by: context.member.id };
}

/** Whether no decision was written, because there was another one, or because the request has changed or gone. */
export function isOvertaken(error: unknown): boolean {
  return error instanceof OAuthError && (error.status === 404 || error.status === 409);
}

/** Somebody has asked, withdrawn or asked for something else since the page was shown, or somebody else has answered. */
export function changedPage(request: ApplicationPageRequest): PageBuilder {
  return undecided(request, 'asked.changed.title', (t) => t.html('asked.changed'));
}

/** Another administrator has decided, or the member no longer asks: then there is no request. */
export async function decidedPage(
  request: ApplicationPageRequest,
  asked: AppRequest | undefined,
): Promise<PageBuilder> {
  return asked
    ? conflictWith(request, asked)
    : undecided(request, 'asked.withdrawn.title', (t) => t.html('asked.withdrawn'));
}

/** Says who has decided on the request, or on what it is for. */
export async function conflictWith(
  request: ApplicationPageRequest,
  decided: DecidedBy | undefined,
): Promise<PageBuilder> {
  const conflict = await namedConflict(request.kit.platform, request.context, decided);
  return undecided(request, 'conflict.title', (t) => staleText(t, conflict));
}

/** Nothing was written: one way on. */
function undecided(
  { path, context }: ApplicationPageRequest,
  title: TextKey,
  text: (t: Translator) => Html,
): PageBuilder {
  const action = { text: 'asked.back', href: requestsPath(path) } as const;
  return memberMessage(context, { title, texts: [text], status: 409, action });
}
