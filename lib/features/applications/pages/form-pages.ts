import type { Application, ApplicationSecret } from '../../../core/applications/application.ts';
import type { AppRequest } from '../../../core/applications/request.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import type { ApplicationField, EnteredMember, FormTranslator } from '../../../pages/kit/application-field.ts';
import { html, type Html, isolated } from '../../../pages/kit/markup.ts';
import { hiddenFields, memberPage, type MemberPageContext } from '../../../pages/kit/member-page.ts';
import { statusMessage } from '../../../pages/kit/notice.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { scopeList } from '../../../pages/kit/permissions.ts';
import { askedNotice } from './inbox.ts';
import { appHeader, backLink } from '../../../pages/kit/app-header.ts';
import { targetPath } from '../../../pages/kit/console.ts';
import { copyScriptPath } from '../../../pages/kit/copy.ts';
import { type Conflict, conflictText } from '../../../pages/kit/conflict.ts';
import { factList } from '../../../pages/kit/facts.ts';
import { icon } from '../../../pages/kit/icons.ts';
import { statusMark } from '../../../pages/kit/status.ts';
import { table } from '../../../pages/kit/table.ts';
import type { AppStatus } from '../../../core/clients/client-status.ts';
import { type FormProblem, type FormValues, formValuesOf, ticksIn } from './form-values.ts';
import { fieldLink, formFields, permissionText, problemSummary } from './form.ts';
import { newSignInPage } from './sign-in-form.ts';
import { findKnownApplication, appChoice, appNotice } from './known-apps.ts';
import { createdLine, kindLine, newPath, softwareKind, softwareTile } from './software-kind.ts';
import { connectSection } from './connect-page.ts';
import type { ApplicationPageRequest } from './page-request.ts';
import { hasSecret, secretUses } from './secrets.ts';

interface NewView {
  readonly values: FormValues;
  readonly problems?: readonly FormProblem[];
  readonly app: unknown;
  /** The request of a member that it is for. */
  readonly asked?: AppRequest | undefined;
  /** The member has asked for something else since the person opened the page. */
  readonly hasChanged?: boolean;
}

export function newPage(context: MemberPageContext, view: NewView): PageBuilder {
  const { values, problems = [], app, asked, hasChanged = false } = view;
  const kind = softwareKind(values);
  if (kind === 'signIn') return newSignInPage(context, { values, problems, app });
  const chosen = findKnownApplication(app);
  const pagePath = newPath(context.path, kind);
  return memberPage(context, {
    title: `applications.new.${kind}`,
    wide: true,
    status: hasChanged ? 409 : problems.length > 0 ? 400 : 200,
    hasProblems: hasChanged || problems.length > 0,
    body: (t) => html`
${hasChanged && asked && changedSummary(t, asked, values)}
${problemSummary(t, values, problems)}
<p>${t.html(`applications.about.${kind}`, { school: context.site.name })}</p>
${asked ? askedNotice(t, asked) : kind !== 'service' && html`${appChoice(t, pagePath, chosen)}${chosen && appNotice(t, chosen)}`}
<form method="post" action="${pagePath}${asked ? `&request=${asked.id}` : chosen && `&app=${chosen.id}`}" id="new" novalidate>
${hiddenFields(context, { app: chosen?.id ?? '', ...(asked && { version: asked.version }) })}
${formFields(t, values, problems)}
<div class="actions"><button class="primary" type="submit">${t.html('form.create')}</button><a class="button" href="${context.path}">${t.html('form.cancel')}</a></div>
</form>`,
  });
}

interface EditView {
  readonly values: FormValues;
  readonly problems: readonly FormProblem[];
  readonly application: Application;
  readonly people: number;
  readonly secrets: readonly ApplicationSecret[];
  readonly status: AppStatus;
  readonly creator?: string | undefined;
  /** What the page says about how to connect it. */
  readonly connect: ApplicationPageRequest & { readonly connectionsPath: string | undefined };
  readonly saved?: boolean;
  /** The version that the person has seen. @default that of the application */
  readonly seen?: string;
  /** The person who has saved another version since the page was opened. @default nobody */
  readonly conflict?: Conflict | undefined;
}

/** The page of one application: how to connect an app with it, and its settings. */
export function editPage(context: MemberPageContext, view: EditView): PageBuilder {
  const { application, values, problems, saved = false, conflict } = view;
  const { seen = application.version } = view;
  const { clientId, clientName } = application;
  const pagePath = `${context.path}/${clientId}`;
  return memberPage(context, {
    title: 'form.edit.title',
    values: { client: clientName },
    wide: true,
    status: conflict ? 409 : problems.length > 0 ? 400 : 200,
    hasProblems: conflict !== undefined || problems.length > 0,
    script: copyScriptPath,
    header: (t, heading) => html`${backLink(context.path, t.html('applications.title'))}
${appHeader({
  tile: softwareTile(application),
  name: heading,
  trust: html`<p class="soft">${kindLine(t, application)} · ${createdLine(t, application, view.creator)}</p>`,
  status: statusMark(t, view.status),
})}`,
    body: (t) => html`
${statusMessage(t, saved ? 'applications.saved' : undefined)}
${
  conflict &&
  conflictSummary(
    t,
    conflict,
    formValuesOf(
      view.connect.enabled.known,
      application,
      ticksIn(values).map(([name]) => name),
      t.fields.filter(({ member }) => values[member] !== undefined),
    ),
    values,
  )
}
${problemSummary(t, values, problems)}
<div class="detail"><div class="flow">
${connectSection(t, view.connect, application)}
<section><h2>${t.html('form.settings')}</h2>
<form method="post" action="${pagePath}" novalidate>
${hiddenFields(context, { action: 'save', version: seen })}
${formFields(t, values, problems, 'form.scopes.warning')}
<div class="actions"><button class="primary" type="submit">${t.html('form.save')}</button></div>
</form></section>
</div>
${rail(t, pagePath, view)}</div>`,
  });
}

type Compared = 'clientName' | 'redirectUris' | 'clientUri' | EnteredMember | 'scopes';

/** Above the form: what another administrator has saved, beside what this one has entered. */
function conflictSummary(t: FormTranslator, conflict: Conflict, saved: FormValues, entered: FormValues): Html {
  const own = t.fields.map(({ member }) => member);
  const compared: readonly Compared[] = ['clientName', 'redirectUris', 'clientUri', ...own, 'scopes'];
  const rows = differences(t, compared, { label: 'conflict.saved', values: saved }, entered);
  const who = conflictText(t, conflict);
  return summary(t, ['conflict.title', html`${who} ${t.html('conflict.text')}`, 'conflict.same'], rows);
}

/** Above the form: what the member asks for now, beside what the form has. The note is shown with the request. */
function changedSummary(t: FormTranslator, { clientName, redirectUris }: AppRequest, entered: FormValues): Html {
  const values = { ...entered, clientName, redirectUris: redirectUris.join('\n') };
  const rows = differences(t, ['clientName', 'redirectUris'], { label: 'asked.changed.now', values }, entered);
  return summary(t, ['asked.changed.title', t.html('asked.changed'), 'asked.changed.note'], rows);
}

interface Current {
  readonly label: TextKey;
  readonly values: FormValues;
}

interface Differences {
  readonly columns: readonly TextKey[];
  readonly rows: readonly (readonly Html[])[];
}

/** A row for each field that differs. */
function differences(
  t: FormTranslator,
  fields: readonly Compared[],
  current: Current,
  entered: FormValues,
): Differences {
  const rows = fields.flatMap((field) => {
    const [now, entries] = [linesOf(t, current.values, field), linesOf(t, entered, field)];
    if (sorted(now) === sorted(entries)) return [];
    return [[fieldLink(t, entered.audience, field), list(t, now), list(t, entries)]];
  });
  return { columns: ['form.settings', current.label, 'conflict.entered'], rows };
}

/** Screen readers announce it. */
function summary(
  t: FormTranslator,
  [title, text, same]: readonly [TextKey, Html, TextKey],
  { columns, rows }: Differences,
): Html {
  const headings = columns.map((heading) => ({ heading: t.html(heading) }));
  return html`<div class="notice warn" role="alert" tabindex="-1" autofocus>
<h2>${t.html(title)}</h2>
<p>${text}</p>
${rows.length > 0 ? table(t.html(title), headings, rows) : html`<p>${t.html(same)}</p>`}
</div>`;
}

function linesOf(t: FormTranslator, values: FormValues, field: Compared): readonly Html[] {
  if (field === 'scopes') return values.scopes.filter(t.catalogue.has).map((scope) => permissionText(t, values, scope));
  const text = (values[field] ?? '').trim();
  if (text === '') return [];
  const said = t.fields.find(({ member }) => member === field)?.said;
  if (said !== undefined) return [t.html(said)];
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').map(isolated);
}

function sorted(lines: readonly Html[]): string {
  const texts = lines.map(({ text }) => text);
  return texts.sort().join('\n');
}

function list(t: FormTranslator, lines: readonly Html[]): Html {
  if (lines.length === 0) return t.html('conflict.empty');
  return html`${lines.map((line, i) => html`${i > 0 && html`<br>`}${line}`)}`;
}

/** Nobody connects a service. */
export function rotationOfPeople(t: FormTranslator, { audience }: Application): Html | false {
  return audience !== 'service' && html`<p>${t.html('secret.rotate.people')}</p>`;
}

/** Beside the settings: the people who are connected, the secret, and the end of the application. */
function rail(t: FormTranslator, pagePath: string, view: EditView): Html {
  const { application, people, secrets, connect } = view;
  const isService = application.audience === 'service';
  const used = Math.max(...secrets.map(({ lastUsedAt = 0 }) => lastUsedAt), 0);
  const { connectionsPath } = connect;
  return html`<aside class="rail flow" aria-label="${t.text('list.status')}">
${factList([
  ...(isService ? [] : [[t.html('school.people'), people] as const]),
  ...(used > 0 ? [[t.html('list.used'), t.nearDate(used)] as const] : []),
])}
${(connectionsPath !== undefined || !isService) && html`<p>${connectionsPath !== undefined && html`<a href="${targetPath(connectionsPath, application)}">${t.html('applications.decision')}</a>`}${!isService && html`<br><a href="${pagePath}?view=consent">${t.html('example.preview.link')}</a>`}</p>`}
${hasSecret(application) && html`<section><h2>${t.html('secret.heading')}</h2>${secretUses(t, secrets)}<a class="button" href="${pagePath}?confirm=rotate">${icon('key')}${t.html('secret.rotate')}</a></section>`}
<section><h2>${t.html('remove.button')}</h2><p class="soft">${t.html(isService ? 'remove.effect.service' : 'remove.effect', { count: people })}</p><a class="button danger" href="${pagePath}?confirm=remove">${icon('delete')}${t.html('remove.button')}</a></section>
</aside>`;
}

/** As a checkbox is read. */
function yes(isTicked: boolean): string {
  return isTicked ? 'yes' : 'no';
}

interface NarrowView {
  readonly application: Application;
  readonly values: FormValues;
  readonly people: number;
  readonly removed: readonly string[];
  /** Fields of features that are changed. */
  readonly ending: readonly ApplicationField[];
}

/** Before a save that disconnects people. It carries the form, so that nothing has to be entered again. */
export function narrowPage(context: MemberPageContext, view: NarrowView): PageBuilder {
  const { application, values, removed, ending, people } = view;
  const ends = ending.flatMap(({ member, ends: said }) =>
    said ? [{ title: said.title, text: said.text(values[member] ?? '') }] : [],
  );
  const { clientId, clientName, version } = application;
  const { clientName: name, redirectUris, clientUri, scopes } = values;
  const ticks = ticksIn(values);
  const ticked = Object.fromEntries(ticks.map(([field, isTicked]) => [field, yes(isTicked)]));
  const { signIn } = values;
  const entered = (t: FormTranslator) => ({
    version,
    name,
    redirect_uris: redirectUris,
    client_uri: clientUri,
    ...Object.fromEntries(
      t.fields.flatMap(({ member, name: field }) => (values[member] === undefined ? [] : [[field, values[member]]])),
    ),
    ...ticked,
    ...(signIn && {
      sign_in_basic: yes(signIn.basic),
      sign_in_rs256: yes(signIn.idTokenAlgorithm === 'RS256'),
      sign_in_resource: yes(signIn.defaultResource),
    }),
  });
  return memberPage(context, {
    title: removed.length > 0 ? 'narrow.title' : (ends[0]?.title ?? 'narrow.title'),
    values: { client: clientName },
    body: (t) => html`${ends.map(({ text }) => html`<p>${t.html(text)}</p>`)}
${
  removed.length > 0 &&
  html`<p>${t.html('narrow.scopes')}</p>
${scopeList(t, removed)}`
}
<p>${t.html('narrow.text', { count: people })}</p>
<form method="post" action="${context.path}/${clientId}">
${hiddenFields(context, entered(t))}${ticks.map(([field]) => html`<input type="hidden" name="asked" value="${field}">`)}${scopes.map((scope) => html`<input type="hidden" name="scope" value="${scope}">`)}
<div class="actions"><button class="danger" type="submit" name="action" value="narrow">${t.html('narrow.button')}</button><button type="submit" name="action" value="edit">${t.html('narrow.back')}</button></div>
</form>`,
  });
}
