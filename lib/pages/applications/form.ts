import { type ApplicationProblem, applicationRedirects, inputProblems } from '../../clients/application-input.ts';
import type { Application, ApplicationInput } from '../../contracts/application.ts';
import type { ClientAudience } from '../../contracts/client.ts';
import { type Form, field as formField } from '../../http/body.ts';
import type { TextKey } from '../../i18n/texts.ts';
import { redirectUriProblem } from '../../protocol/redirect-uri.ts';
import { identityScopes, isFor, type ScopeCatalogue } from '../../protocol/scopes.ts';
import { html, type Html, type Translator } from '../kit/markup.ts';
import { byArea } from '../kit/permissions.ts';

export interface FormValues {
  /** From the address of the page or the stored application, never from the form. */
  readonly audience: ClientAudience;
  readonly clientName: string;
  /** One per line. */
  readonly redirectUris: string;
  readonly clientUri: string;
  /** Absent for an existing application, where it cannot change. */
  readonly kind?: 'confidential' | 'public' | '' | undefined;
  readonly scopes: readonly string[];
  /** Whether people can connect it on another device. Absent where that is not asked. */
  readonly device?: boolean | undefined;
}

type FormField = 'clientName' | 'redirectUris' | 'clientUri' | 'kind' | 'scopes';

export interface FormProblem extends Omit<ApplicationProblem, 'field'> {
  readonly field: FormField;
}

/** Above the form: screen readers announce it, and its links lead to the fields. */
export function problemSummary(
  t: Translator,
  { audience }: Pick<FormValues, 'audience'>,
  problems: readonly FormProblem[],
): Html | false {
  if (problems.length === 0) return false;
  const [first] = t.catalogue.rows.filter((row) => isFor(audience, row));
  const anchorOf = (field: FormField): string => (field === 'scopes' ? `scope-${first?.scope}` : fields[field].anchor);
  return html`<div class="problems" role="alert" tabindex="-1" autofocus>
<h2>${t.html('form.problems', { count: problems.length })}</h2>
<ul>${problems.map((problem) => html`<li>${t.html('pair', { name: html`<a href="#${anchorOf(problem.field)}">${t.html(fields[problem.field].label)}</a>`, value: problemText(t, problem) })}</li>`)}</ul>
</div>`;
}

export const fields: Readonly<Record<FormField, { readonly label: TextKey; readonly anchor: string }>> = {
  clientName: { label: 'form.name', anchor: 'name' },
  redirectUris: { label: 'form.redirectUris', anchor: 'redirect_uris' },
  clientUri: { label: 'form.clientUri', anchor: 'client_uri' },
  kind: { label: 'form.kind', anchor: 'kind-confidential' },
  scopes: { label: 'form.scopes', anchor: 'scope-openid' },
};

function problemText(t: Translator, { field, code, value = '' }: FormProblem): Html {
  if (field === 'redirectUris' && code === 'unusable') {
    const { code: wrong, part = '' } = redirectUriProblem(value, applicationRedirects) ?? { code: 'relative' };
    return t.html(`problem.redirectUri.${wrong}`, { uri: value, part });
  }
  if (field === 'redirectUris')
    return t.html(code === 'many' ? 'problem.redirectUris.many' : 'problem.redirectUris.empty');
  if (field === 'scopes' && code === 'unusable') return t.html('problem.scopes.audience', { scope: value });
  if (field === 'scopes') return t.html('problem.scopes.empty');
  if (field === 'kind') return t.html('problem.kind.empty');
  if (field === 'clientUri') return t.html('problem.clientUri');
  const name = { empty: 'problem.name.empty', long: 'problem.name.long' } as const;
  return t.html(code === 'empty' || code === 'long' ? name[code] : 'problem.name.invisible');
}

export function formFields(t: Translator, values: FormValues, problems: readonly FormProblem[], hint?: TextKey): Html {
  const ofPage = problemsOf(problems, 'clientUri');
  const page = ariaAttributes('client_uri', ofPage);
  return html`
${nameField(t, values, problems)}
${values.audience !== 'service' && redirectUrisField(t, values, problems)}
${values.device !== undefined && deviceField(t, values.device)}
<div class="field"><label for="client_uri">${t.html('form.clientUri')} <span class="badge">${t.html('form.optional')}</span></label>
<span class="hint" id="client_uri-hint">${t.html('form.clientUri.hint')}</span>${fieldProblems(t, 'client_uri', ofPage)}
<input type="text" inputmode="url" dir="ltr" id="client_uri" name="client_uri" value="${values.clientUri}" autocomplete="off" ${page}></div>
${values.kind !== undefined && kindField(t, values.kind, problemsOf(problems, 'kind'))}
${scopesField(t, values, problemsOf(problems, 'scopes'), hint)}`;
}

function problemsOf(problems: readonly FormProblem[], field: FormField): readonly FormProblem[] {
  return problems.filter((problem) => problem.field === field);
}

type FieldView = [t: Translator, values: FormValues, problems: readonly FormProblem[]];

export function nameField(...[t, { clientName, audience }, problems]: FieldView): Html {
  const hint = audience === 'service' ? 'form.name.service' : 'form.name.hint';
  const own = problemsOf(problems, 'clientName');
  return html`<div class="field"><label for="name">${t.html('form.name')}</label>
<span class="hint" id="name-hint">${t.html(hint)}</span>${fieldProblems(t, 'name', own)}
<input type="text" id="name" name="name" value="${clientName}" required autocomplete="off" ${ariaAttributes('name', own)}></div>`;
}

export function redirectUrisField(...[t, { redirectUris }, problems]: FieldView): Html {
  const own = problemsOf(problems, 'redirectUris');
  return html`<div class="field"><label for="redirect_uris">${t.html('form.redirectUris')}</label>
<span class="hint" id="redirect_uris-hint">${t.html('form.redirectUris.hint')}</span>${fieldProblems(t, 'redirect_uris', own)}
<textarea id="redirect_uris" name="redirect_uris" rows="3" dir="ltr" spellcheck="false" required ${ariaAttributes('redirect_uris', own)}>
${redirectUris}</textarea></div>`;
}

/** A checkbox without a tick is not sent, so another field says that it was there. */
function deviceField(t: Translator, isTicked: boolean): Html {
  return html`<div class="field"><input type="hidden" name="devices" value="asked">
<label class="tick"><input type="checkbox" id="device" name="device" value="yes"${isTicked && html` checked`}><span>${t.html('form.device')}<span class="hint">${t.html('form.device.hint')}</span></span></label></div>`;
}

function ariaAttributes(id: string, problems: readonly FormProblem[]): Html {
  return problems.length > 0
    ? html`aria-invalid="true" aria-describedby="${id}-problem ${id}-hint"`
    : html`aria-describedby="${id}-hint"`;
}

function fieldProblems(t: Translator, id: string, problems: readonly FormProblem[]): Html | false {
  if (problems.length === 0) return false;
  return html`<span id="${id}-problem">${problems.map((problem) => html`<span class="problem">${problemText(t, problem)}</span>`)}</span>`;
}

function kindField(t: Translator, chosen: string, problems: readonly FormProblem[]): Html {
  const radio = (kind: 'confidential' | 'public'): Html =>
    html`<label class="tick"><input type="radio" id="kind-${kind}" name="kind" value="${kind}"${chosen === kind && html` checked`} required><span>${t.html(`form.kind.${kind}`)}<span class="hint">${t.html(`form.kind.${kind}.hint`)}</span></span></label>`;
  return html`<fieldset><legend>${t.html('form.kind')}</legend>${fieldProblems(t, 'kind', problems)}
${radio('confidential')}${radio('public')}</fieldset>`;
}

function scopesField(t: Translator, values: FormValues, problems: readonly FormProblem[], hint?: TextKey): Html {
  const { audience, scopes: ticked } = values;
  const checkbox = (scope: string): Html =>
    html`<label class="tick"><input type="checkbox" id="scope-${scope}" name="scope" value="${scope}"${ticked.includes(scope) && html` checked`}><span>${t.ofPeople(`scope.${scope}`)}</span></label>`;
  const areas = byArea(t.catalogue.rows.filter((row) => isFor(audience, row))).map(
    ([area, rows]) =>
      html`<fieldset><legend>${t.ofPeople(`area.${area}`)}</legend>${rows.map(({ scope }) => checkbox(scope))}</fieldset>`,
  );
  const about = audience === 'service' ? 'form.scopes.service' : 'form.scopes.hint';
  const describedBy = problems.length > 0 ? 'scopes-problem scopes-hint' : 'scopes-hint';
  return html`<fieldset aria-describedby="${describedBy}"><legend>${t.html('form.scopes')}</legend>
<span class="hint" id="scopes-hint">${t.html(about)} ${audience !== 'service' && hint && t.html(hint)}</span>${fieldProblems(t, 'scopes', problems)}
<div class="columns">${areas}</div></fieldset>`;
}

export function blankForm(audience: ClientAudience): FormValues {
  const blank = { audience, clientName: '', redirectUris: '', clientUri: '' };
  // A service always has a secret, and never acts for a person.
  return audience === 'service' ? { ...blank, scopes: [] } : { ...blank, kind: 'confidential', scopes: identityScopes };
}

export function formValuesOf(
  { audience, clientName, redirectUris, clientUri = '', scopes, device }: Application,
  asksForDevice = false,
): FormValues {
  const asked = device ?? (asksForDevice && audience !== 'service' ? false : undefined);
  return { audience, clientName, redirectUris: redirectUris.join('\n'), clientUri, scopes, device: asked };
}

export function readFormValues(form: Form, audience: ClientAudience): FormValues {
  const kind = formField(form, 'kind');
  return {
    audience,
    clientName: formField(form, 'name') ?? '',
    redirectUris: audience === 'service' ? '' : (formField(form, 'redirect_uris') ?? ''),
    clientUri: formField(form, 'client_uri') ?? '',
    kind: audience === 'service' ? undefined : kind === 'confidential' || kind === 'public' ? kind : '',
    scopes: [form['scope'] ?? []].flat(),
    device: formField(form, 'devices') === undefined ? undefined : formField(form, 'device') === 'yes',
  };
}

export function toApplicationInput(
  { clientName, redirectUris, clientUri, scopes, device }: FormValues,
  { has }: ScopeCatalogue,
): ApplicationInput {
  return {
    clientName,
    redirectUris: redirectUris.split(/\s+/).filter((uri) => uri !== ''),
    scopes: scopes.filter(has),
    clientUri: clientUri.trim() === '' ? undefined : clientUri.trim(),
    ...(device !== undefined && { device }),
  };
}

export function problemsIn(values: FormValues, catalogue: ScopeCatalogue): FormProblem[] {
  const kind: FormProblem[] = values.kind === '' ? [{ field: 'kind', code: 'empty', reason: 'is empty' }] : [];
  return [...inputProblems(toApplicationInput(values, catalogue), values.audience, catalogue), ...kind];
}
