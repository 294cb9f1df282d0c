import type { Member, Site } from '../../host/school-platform.ts';
import type { TextKey } from '../../i18n/texts.ts';
import type { TextValues } from '../../i18n/translations.ts';
import { type ConsoleView, navigation } from './console.ts';
import { icon } from './icons.ts';
import type { FormTranslator } from './application-field.ts';
import { html, type Html, isolated, shortName, type Translator } from './markup.ts';
import type { PageBuilder, PageTraits } from './pages.ts';
import type { PageName } from './page-template.ts';
import { personValues } from './person.ts';

/** A person who is signed in and looks at a page. */
export interface Visitor {
  readonly member: Member;
  readonly switchAccountUrl: string;
}

export interface MemberPageContext extends Visitor {
  readonly page: PageName;
  readonly site: Site;
  /** The path under which this group of pages is mounted. */
  readonly path: string;
  readonly csrf: string;
  readonly console: ConsoleView;
}

interface MemberPageParts extends PageTraits {
  readonly title: TextKey;
  readonly values?: TextValues | undefined;
  readonly body: (t: FormTranslator) => Html;
  /** What stands above the heading. @default only who is signed in */
  readonly above?: Html | undefined;
  /** What the heading stands in. @default it stands alone */
  readonly header?: ((t: Translator, heading: Html) => Html) | undefined;
}

export function memberPage(
  context: Visitor & { readonly page: PageName; readonly console?: ConsoleView },
  { title, values, body, above, header, ...rest }: MemberPageParts,
): PageBuilder {
  const { member, switchAccountUrl } = context;
  return (t) => {
    const { console } = context;
    const isConsole = console?.audience === 'administrator';
    const account = (isConsole ? administratorLine : accountLine)(t, member, switchAccountUrl);
    const sections = console && navigation(t, console);
    const frame = sections && isConsole && { navigation: sections, account };
    return {
      ...rest,
      page: context.page,
      frame,
      title: t.text(title, values),
      heading: t.html(title, values),
      header: header && ((heading) => header(t, heading)),
      beforeHeading: frame ? above : html`${account}${sections}${above}`,
      body: body(t),
    };
  };
}

function accountLine(t: Translator, member: Member, switchAccountUrl: string): Html {
  const { name, email } = personValues(member);
  const account = html`${isolated(name)}${email !== undefined && html` · ${isolated(email)}`}`;
  return html`<p class="person">${icon('person')}<span>${account}</span><a href="${switchAccountUrl}">${t.html('person.notYou')}</a></p>`;
}

/** In the console: who decides, and as what. */
function administratorLine(t: Translator, member: Member, switchAccountUrl: string): Html {
  const [role = ''] = member.roles;
  const person = t.html('person.console', { name: personValues(member).name, role: shortName(role) });
  return html`<p class="person"><span>${person}</span><a href="${switchAccountUrl}">${t.html('person.notYou')}</a></p>`;
}

/** A field with several values is repeated. */
export type FormFields = Readonly<Record<string, string | readonly string[]>>;

export function hiddenFields({ csrf }: { readonly csrf: string }, fields: FormFields = {}): Html[] {
  return Object.entries({ csrf, ...fields }).flatMap(([name, values]) =>
    [values].flat().map((value) => html`<input type="hidden" name="${name}" value="${value}">`),
  );
}

interface Confirmation {
  readonly values: TextValues;
  readonly button: TextKey;
  readonly action: string;
  readonly fields?: FormFields;
  /** The page that handles the form, and that "Cancel" returns to. */
  readonly page: string;
  /** What else the person decides. @default nothing */
  readonly choice?: ((t: FormTranslator) => Html) | undefined;
  /** What the previous request did. @default nothing */
  readonly done?: ((t: FormTranslator) => Html | false) | undefined;
}

type ConfirmationText =
  | 'secret.rotate'
  | 'remove'
  | 'remove.service'
  | 'connected.confirm'
  | 'connected.confirm.one'
  | 'school.end.confirm'
  | 'unused.confirm'
  | 'person.end.confirm';

export function confirmPage(
  context: MemberPageContext,
  text: ConfirmationText,
  { values, button, action, fields, page, choice, done }: Confirmation,
): PageBuilder {
  return memberPage(context, {
    title: `${text}.title`,
    values,
    body: (t) => html`${done?.(t)}<p>${t.html(`${text}.text`, values)}</p>
<form method="post" action="${page}">
${hiddenFields(context, { action, ...fields })}
${choice?.(t)}
<div class="actions"><button class="danger" type="submit">${t.html(button)}</button><a class="button" href="${page}">${t.html('form.cancel')}</a></div>
</form>`,
  });
}
