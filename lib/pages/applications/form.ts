import type { ApplicationProblem } from '../../clients/application-input.ts';
import { scopeCatalogue, mayHave, type Scope } from '../../protocol/scopes.ts';
import type { TextKey } from '../../i18n/texts.ts';
import { html, type Html } from '../kit/html.ts';
import type { Translator } from '../kit/translator.ts';
import { byArea } from '../kit/scope-lists.ts';

/** What stands in the fields. */
export interface FormValues {
  readonly clientName: string;
  /** One on each line. */
  readonly redirectUris: string;
  readonly clientUri: string;
  /** Absent where it cannot be chosen any more. */
  readonly kind?: 'confidential' | 'public' | '' | undefined;
  readonly scopes: readonly string[];
}

/** The fields in their order. */
export type FormField = 'clientName' | 'redirectUris' | 'clientUri' | 'kind' | 'scopes';

/** What is wrong with a field. */
export interface FormProblem extends Omit<ApplicationProblem, 'field'> {
  readonly field: FormField;
}

/** What is wrong, above the form: it is read out, and leads to the fields. */
export function problemSummary(say: Translator, problems: readonly FormProblem[]): Html | false {
  if (problems.length === 0) return false;
  return html`<div class="problems" role="alert" tabindex="-1" autofocus>
<h2>${say.text('form.problems', { count: problems.length })}</h2>
<ul>${problems.map((problem) => html`<li><a href="#${anchor[problem.field]}">${say.text(label[problem.field])}</a>: ${words(say, problem)}</li>`)}</ul>
</div>`;
}

/** What an application of an operator may ask for: it is a member client. */
const offered = scopeCatalogue.filter(({ scope }) => mayHave('member', scope));

const label: Readonly<Record<FormField, TextKey>> = {
  clientName: 'form.name',
  redirectUris: 'form.redirectUris',
  clientUri: 'form.clientUri',
  kind: 'form.kind',
  scopes: 'form.scopes',
};

const anchor: Readonly<Record<FormField, string>> = {
  clientName: 'name',
  redirectUris: 'redirect_uris',
  clientUri: 'client_uri',
  kind: 'kind-confidential',
  scopes: `scope-${scopeCatalogue[0].scope}`,
};

function words(say: Translator, { field, code, value = '', reason }: FormProblem): Html {
  if (field === 'redirectUris' && code === 'unusable') {
    return html`${say.html('problem.redirectUri', { uri: value })} <span lang="en" dir="ltr">it ${reason}.</span>`;
  }
  if (field === 'redirectUris')
    return html`${say.text(code === 'many' ? 'problem.redirectUris.many' : 'problem.redirectUris.empty')}`;
  if (field === 'scopes') return html`${say.text('problem.scopes.empty')}`;
  if (field === 'kind') return html`${say.text('problem.kind.empty')}`;
  if (field === 'clientUri') return html`${say.text('problem.clientUri')}`;
  const name = { empty: 'problem.name.empty', long: 'problem.name.long' } as const;
  return html`${say.text(code === 'empty' || code === 'long' ? name[code] : 'problem.name.invisible')}`;
}

/** The fields, each with its label, hint and problems. */
export function formFields(
  say: Translator,
  values: FormValues,
  problems: readonly FormProblem[],
  hint?: TextKey,
): Html {
  const of = (field: FormField): readonly FormProblem[] => problems.filter((problem) => problem.field === field);
  const name = described('name', of('clientName'));
  const uris = described('redirect_uris', of('redirectUris'));
  const page = described('client_uri', of('clientUri'));
  return html`
<div class="field"><label for="name">${say.text('form.name')}</label>
<span class="hint" id="name-hint">${say.text('form.name.hint')}</span>${beside(say, 'name', of('clientName'))}
<input type="text" id="name" name="name" value="${values.clientName}" required autocomplete="off" ${name}></div>
<div class="field"><label for="redirect_uris">${say.text('form.redirectUris')}</label>
<span class="hint" id="redirect_uris-hint">${say.text('form.redirectUris.hint')}</span>${beside(say, 'redirect_uris', of('redirectUris'))}
<textarea id="redirect_uris" name="redirect_uris" rows="3" dir="ltr" spellcheck="false" required ${uris}>
${values.redirectUris}</textarea></div>
<div class="field"><label for="client_uri">${say.text('form.clientUri')} <span class="soft">(${say.text('form.optional')})</span></label>
<span class="hint" id="client_uri-hint">${say.text('form.clientUri.hint')}</span>${beside(say, 'client_uri', of('clientUri'))}
<input type="text" inputmode="url" dir="ltr" id="client_uri" name="client_uri" value="${values.clientUri}" autocomplete="off" ${page}></div>
${values.kind !== undefined && kinds(say, values.kind, of('kind'))}
${scopes(say, values.scopes, of('scopes'), hint)}`;
}

function described(id: string, problems: readonly FormProblem[]): Html {
  return problems.length > 0
    ? html`aria-invalid="true" aria-describedby="${id}-problem ${id}-hint"`
    : html`aria-describedby="${id}-hint"`;
}

function beside(say: Translator, id: string, problems: readonly FormProblem[]): Html | false {
  if (problems.length === 0) return false;
  return html`<span id="${id}-problem">${problems.map((problem) => html`<span class="problem">${words(say, problem)}</span>`)}</span>`;
}

function kinds(say: Translator, chosen: string, problems: readonly FormProblem[]): Html {
  const radio = (kind: 'confidential' | 'public'): Html =>
    html`<label class="tick"><input type="radio" id="kind-${kind}" name="kind" value="${kind}"${chosen === kind && html` checked`} required><span>${say.text(`form.kind.${kind}`)}</span></label>`;
  return html`<fieldset><legend>${say.text('form.kind')}</legend>${beside(say, 'kind', problems)}
${radio('confidential')}${radio('public')}</fieldset>`;
}

function scopes(say: Translator, ticked: readonly string[], problems: readonly FormProblem[], hint?: TextKey): Html {
  const tick = (scope: Scope): Html =>
    html`<label class="tick"><input type="checkbox" id="scope-${scope}" name="scope" value="${scope}"${ticked.includes(scope) && html` checked`}><span>${say.scope(scope)}</span></label>`;
  const areas = byArea(offered).map(
    ([area, rows]) =>
      html`<fieldset><legend>${say.text(`area.${area}`)}</legend>${rows.map(({ scope }) => tick(scope))}</fieldset>`,
  );
  const describedBy = problems.length > 0 ? 'scopes-problem scopes-hint' : 'scopes-hint';
  return html`<fieldset aria-describedby="${describedBy}"><legend>${say.text('form.scopes')}</legend>
<span class="hint" id="scopes-hint">${say.text('form.scopes.hint')} ${hint && say.text(hint)}</span>${beside(say, 'scopes', problems)}
<div class="columns">${areas}</div></fieldset>`;
}

/** A value of a client, to copy: it can be selected without a script, and with one there is a button. */
export function copyField(say: Translator, id: string, name: string, value: string): Html {
  return html`<div class="field"><label for="${id}">${name}</label>
<div class="copy"><input type="text" id="${id}" value="${value}" readonly dir="ltr" autocomplete="off" spellcheck="false">
<button type="button" hidden data-copy="${id}" data-copied="${say.text('secret.copied')}" aria-label="${say.text('secret.copy')}: ${name}">${say.text('secret.copy')}</button><span class="soft" role="status" id="${id}-copied"></span></div></div>`;
}
