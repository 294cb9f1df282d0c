import type { Member, Site } from '../../contracts/platform.ts';
import { html, type Html } from './html.ts';
import type { Page, PageIn } from './pages.ts';
import { personLine } from './person-line.ts';
import type { Translator } from './translator.ts';
import type { TextKey } from '../../i18n/texts.ts';
import type { Values } from '../../i18n/translations.ts';

/** What every page where somebody manages something knows. */
export interface MemberPageContext {
  readonly site: Site;
  readonly member: Member;
  /** Where somebody else can sign in. */
  readonly notYou: string;
  /** The path of the first of these pages; the others are under it. */
  readonly path: string;
  readonly csrf: string;
}

/** The parts of such a page. */
export interface MemberPageParts extends Pick<Page, 'status' | 'wide' | 'script'> {
  readonly title: TextKey;
  readonly values?: Values | undefined;
  readonly body: (say: Translator) => Html;
}

/** A page with who is signed in above it. */
export function memberPage(desk: MemberPageContext, { title, values, body, ...rest }: MemberPageParts): PageIn {
  return (say) => ({
    ...rest,
    title: say.text(title, values),
    heading: say.html(title, values),
    before: personLine(say, desk.member, desk.notYou),
    body: body(say),
  });
}

/** The fields that every form has. */
export function hidden(desk: MemberPageContext, fields: Readonly<Record<string, string>> = {}): Html[] {
  return Object.entries({ csrf: desk.csrf, ...fields }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
}

/** Good news from the page before. */
export function told(say: Translator, key: TextKey | undefined, values?: Values): Html | false {
  return key !== undefined && html`<p class="notice good" role="status">${say.html(key, values)}</p>`;
}

/** What is asked before something that cannot be undone. */
export interface Confirmation {
  readonly title: TextKey;
  readonly text: TextKey;
  readonly values: Values;
  readonly button: TextKey;
  readonly fields: Readonly<Record<string, string>>;
  /** Where the form goes, and the way back. */
  readonly action: string;
}

/** A page that asks once more. */
export function confirmPage(
  desk: MemberPageContext,
  { title, text, values, button, fields, action }: Confirmation,
): PageIn {
  return memberPage(desk, {
    title,
    values,
    body: (say) => html`<p>${say.html(text, values)}</p>
<form method="post" action="${action}">
${hidden(desk, fields)}
<div class="actions"><button class="danger" type="submit">${say.text(button)}</button><a class="button" href="${action}">${say.text('form.cancel')}</a></div>
</form>`,
  });
}
