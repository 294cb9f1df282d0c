import { applicationRedirects } from '../domain/application-input.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import { redirectUriProblem } from '../../../core/clients/redirect-uri.ts';
import { isFor, type Scope, type ScopeRow } from '../../../core/scopes/scopes.ts';
import { power } from '../../../pages/kit/permission-row.ts';
import { html, type Html } from '../../../pages/kit/markup.ts';
import type { GrantMembers } from '../../../core/enabled/client-member.ts';
import { type FormField, type FormProblem, type FormValues, ticksIn } from './form-values.ts';
import type { SignInProperties } from '../../../core/clients/sign-in-client.ts';
import type { ApplicationField, FormTranslator } from '../../../pages/kit/application-field.ts';
import { byArea } from '../../../pages/kit/permissions.ts';
import type { ClientAudience } from '../../../core/clients/client.ts';

/** Above the form: screen readers announce it, and its links lead to the fields. */
export function problemSummary(
  t: FormTranslator,
  { audience }: FormValues,
  problems: readonly FormProblem[],
  labels: FieldLabels = {},
): Html | false {
  if (problems.length === 0) return false;
  return html`<div class="problems" role="alert" tabindex="-1" autofocus>
<h2>${t.html('form.problems', { count: problems.length })}</h2>
<ul>${problems.map((problem) => html`<li>${t.html('pair', { name: fieldLink(t, audience, problem.field, labels), value: problemText(t, problem) })}</li>`)}</ul>
</div>`;
}

/** What a page calls some fields. @default as the form of an application does */
export type FieldLabels = { readonly [F in FormField]?: TextKey };

/** Leads to a field of the form, for permissions to the first one that the form of this audience has; empty if no feature has the field. */
export function fieldLink(
  t: FormTranslator,
  audience: ClientAudience,
  field: FormField,
  labels: FieldLabels = {},
): Html {
  const found = fieldsOf(t)[field];
  if (!found) return html``;
  const own = field === 'scopes' && audience === 'service' ? 'form.scopes.has' : found.label;
  const label = labels[field] ?? own;
  const { anchor = `scope-${t.catalogue.of(audience)[0]}` } = found;
  return html`<a href="#${anchor}">${t.html(label)}</a>`;
}

function fieldsOf(t: FormTranslator): {
  readonly [F in FormField]?: { readonly label: TextKey; readonly anchor?: string };
} {
  return {
    clientName: { label: 'form.name', anchor: 'name' },
    redirectUris: { label: 'form.redirectUris', anchor: 'redirect_uris' },
    clientUri: { label: 'form.clientUri', anchor: 'client_uri' },
    ...Object.fromEntries(t.fields.map(({ member, label, name }) => [member, { label, anchor: name }])),
    kind: { label: 'form.kind', anchor: 'kind-confidential' },
    scopes: { label: 'form.scopes' },
  };
}

function problemText(t: FormTranslator, { field, code, value = '', beside }: FormProblem): Html {
  if (field === 'redirectUris' && code === 'unusable') {
    const { code: wrong, part = '' } = redirectUriProblem(value, applicationRedirects) ?? { code: 'relative' };
    return t.html(`problem.redirectUri.${wrong}`, { uri: value, part });
  }
  if (field === 'redirectUris')
    return t.html(code === 'many' ? 'problem.redirectUris.many' : 'problem.redirectUris.empty');
  const other = t.fields.find(({ member }) => member === beside)?.problems.scope;
  if (field === 'scopes' && other !== undefined) return t.html(other, { scope: value });
  if (field === 'scopes' && code === 'unusable') return t.html('problem.scopes.audience', { scope: value });
  if (field === 'scopes') return t.html('problem.scopes.empty');
  if (field === 'kind') return t.html('problem.kind.empty');
  if (field === 'clientUri') return t.html('problem.clientUri');
  const own = t.fields.find(({ member }) => member === field);
  if (own) {
    const { unusable, ...others } = own.problems;
    return t.html((code === 'empty' || code === 'many' ? others[code] : undefined) ?? unusable, { value });
  }
  const name = { empty: 'problem.name.empty', long: 'problem.name.long' } as const;
  return t.html(code === 'empty' || code === 'long' ? name[code] : 'problem.name.invisible');
}

export function formFields(
  t: FormTranslator,
  values: FormValues,
  problems: readonly FormProblem[],
  hint?: TextKey,
): Html {
  return html`
${nameField(t, values, problems)}
${values.audience !== 'service' && redirectUrisField(t, values, problems)}
${otherFields(t, values, problems, hint)}`;
}

/** All but the name and where people return to. */
export function otherFields(
  t: FormTranslator,
  values: FormValues,
  problems: readonly FormProblem[],
  hint?: TextKey,
): Html {
  const ofPage = problemsOf(problems, 'clientUri');
  const page = ariaAttributes('client_uri', ofPage);
  return html`
${ticksIn(values).map(([name, isTicked]) => tickField(t, name, isTicked))}
<div class="field"><label for="client_uri">${t.html('form.clientUri')} <span class="soft">${t.html('form.optional')}</span></label>
<span class="hint" id="client_uri-hint">${t.html('form.clientUri.hint')}</span>${fieldProblems(t, 'client_uri', ofPage)}
<input type="text" inputmode="url" dir="ltr" id="client_uri" name="client_uri" value="${values.clientUri}" autocomplete="off" ${page}></div>
${values.signIn && signInFields(t, values.signIn)}
${values.kind !== undefined && kindField(t, values.kind, problemsOf(problems, 'kind'))}
${t.fields.map((own) => ownField(t, own, values, problems))}
${scopesField(t, values, problemsOf(problems, 'scopes'), hint)}`;
}

function problemsOf(problems: readonly FormProblem[], field: FormField): readonly FormProblem[] {
  return problems.filter((problem) => problem.field === field);
}

type FieldView = [t: FormTranslator, values: FormValues, problems: readonly FormProblem[]];

export function nameField(...[t, { clientName, audience }, problems]: FieldView): Html {
  const hint = audience === 'service' ? 'form.name.service' : 'form.name.hint';
  const own = problemsOf(problems, 'clientName');
  return html`<div class="field"><label for="name">${t.html('form.name')}</label>
<span class="hint" id="name-hint">${t.html(hint)}</span>${fieldProblems(t, 'name', own)}
<input type="text" id="name" name="name" value="${clientName}" required autocomplete="off" ${ariaAttributes('name', own)}></div>`;
}

export function redirectUrisField(
  t: FormTranslator,
  { redirectUris }: FormValues,
  problems: readonly FormProblem[],
  label: TextKey = 'form.redirectUris',
): Html {
  const own = problemsOf(problems, 'redirectUris');
  return html`<div class="field"><label for="redirect_uris">${t.html(label)}</label>
<span class="hint" id="redirect_uris-hint">${t.html('form.redirectUris.hint')}</span>${fieldProblems(t, 'redirect_uris', own)}
<textarea id="redirect_uris" name="redirect_uris" rows="3" dir="ltr" spellcheck="false" required ${ariaAttributes('redirect_uris', own)}>
${redirectUris}</textarea></div>`;
}

/** The same as one line, for an app that has one such address. */
export function addressField(
  t: FormTranslator,
  { redirectUris }: FormValues,
  problems: readonly FormProblem[],
  hint: Html,
): Html {
  const own = problemsOf(problems, 'redirectUris');
  return html`<div class="field"><label for="redirect_uris">${t.html('form.address')}</label>
<span class="hint" id="redirect_uris-hint">${hint}</span>${fieldProblems(t, 'redirect_uris', own)}
<input type="text" inputmode="url" dir="ltr" id="redirect_uris" name="redirect_uris" value="${redirectUris}" required autocomplete="off" spellcheck="false" ${ariaAttributes('redirect_uris', own)}></div>`;
}

function tickField(t: FormTranslator, name: keyof GrantMembers, isTicked: boolean): Html {
  return html`<div><input type="hidden" name="asked" value="${name}">
<label class="row"><input type="checkbox" id="${name}" name="${name}" value="yes"${isTicked && html` checked`}><span>${t.html(`form.${name}`)}<span class="hint">${t.html(`form.${name}.hint`)}</span></span></label></div>`;
}

function ariaAttributes(id: string, problems: readonly FormProblem[]): Html {
  return problems.length > 0
    ? html`aria-invalid="true" aria-describedby="${id}-problem ${id}-hint"`
    : html`aria-describedby="${id}-hint"`;
}

function fieldProblems(t: FormTranslator, id: string, problems: readonly FormProblem[]): Html | false {
  if (problems.length === 0) return false;
  return html`<span id="${id}-problem">${problems.map((problem) => html`<span class="problem">${problemText(t, problem)}</span>`)}</span>`;
}

function kindField(t: FormTranslator, chosen: string, problems: readonly FormProblem[]): Html {
  const radio = (kind: 'confidential' | 'public'): Html =>
    html`<label class="row"><input type="radio" id="kind-${kind}" name="kind" value="${kind}"${chosen === kind && html` checked`} required><span>${t.html(`form.kind.${kind}`)}<span class="hint">${t.html(`form.kind.${kind}.hint`)}</span></span></label>`;
  return html`<fieldset><legend>${t.html('form.kind')}</legend>${fieldProblems(t, 'kind', problems)}
${radio('confidential')}${radio('public')}</fieldset>`;
}

/** Nothing else gives an application these. */
function signInFields(t: FormTranslator, { basic, idTokenAlgorithm, defaultResource }: SignInProperties): Html {
  const tick = (name: 'basic' | 'rs256' | 'resource', isTicked: boolean): Html =>
    html`<label class="row"><input type="checkbox" id="sign_in_${name}" name="sign_in_${name}" value="yes"${isTicked && html` checked`}><span>${t.html(`form.signIn.${name}`)}<span class="hint">${t.html(`form.signIn.${name}.hint`)}</span></span></label>`;
  return html`<fieldset aria-describedby="sign_in-hint"><legend>${t.html('form.signIn')}</legend>
<span class="hint" id="sign_in-hint">${t.html('form.signIn.hint')}</span>
${tick('basic', basic)}${tick('rs256', idTokenAlgorithm === 'RS256')}${tick('resource', defaultResource)}</fieldset>`;
}

function ownField(
  t: FormTranslator,
  { member, name, field }: ApplicationField,
  { [member]: entered }: FormValues,
  problems: readonly FormProblem[],
): Html | false {
  if (entered === undefined) return false;
  const own = problemsOf(problems, member);
  return field(t, entered, { problems: fieldProblems(t, name, own), aria: ariaAttributes(name, own) });
}

/** What a permission means for the application that the form describes. */
export function permissionText(t: FormTranslator, values: FormValues, scope: Scope): Html {
  const [own] = t.fields.flatMap(({ member, permission }) =>
    (values[member] ?? '') === '' ? [] : (permission?.(scope) ?? []),
  );
  return own ? t.html(own) : t.forOthers(`scope.${scope}`);
}

function scopesField(t: FormTranslator, values: FormValues, problems: readonly FormProblem[], hint?: TextKey): Html {
  const { audience, scopes: ticked } = values;
  const checkbox = (row: ScopeRow): Html =>
    html`<label class="row"><input type="checkbox" id="scope-${row.scope}" name="scope" value="${row.scope}"${ticked.includes(row.scope) && html` checked`}><span>${permissionText(t, values, row.scope)}</span>${power(t, row)}</label>`;
  const areas = byArea(t.catalogue.rows.filter((row) => isFor(audience, row.audience))).map(
    ([area, rows], i) =>
      html`<li><div role="group" aria-labelledby="area-${i}"><h3 id="area-${i}">${t.forOthers(`area.${area}`)}</h3>${rows.map(checkbox)}</div></li>`,
  );
  const isService = audience === 'service';
  const about = isService ? 'form.scopes.service' : 'form.scopes.hint';
  const describedBy = problems.length > 0 ? 'scopes-problem scopes-hint' : 'scopes-hint';
  return html`<fieldset aria-describedby="${describedBy}"><legend><h2>${t.html(isService ? 'form.scopes.has' : 'form.scopes')}</h2></legend>
<span class="hint" id="scopes-hint">${t.html(about)} ${!isService && hint && t.html(hint)}</span>${fieldProblems(t, 'scopes', problems)}
<ul class="areas">${areas}</ul></fieldset>`;
}
