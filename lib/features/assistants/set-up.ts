import type { Application } from '../../core/applications/application.ts';
import type { Site } from '../../host/school-platform.ts';
import type { McpEndpoint } from '../../plugin-contract/plugin.ts';
import type { ListedPermission } from '../../core/access/listed-permission.ts';
import { knownApp } from '../../core/known-apps/known-apps.ts';
import { copyField, copyText } from '../../pages/kit/copy.ts';
import { icon, type IconName } from '../../pages/kit/icons.ts';
import { html, type Html, type Translator } from '../../pages/kit/markup.ts';
import { stepSections } from '../../pages/kit/steps.ts';
import { appGlyph } from '../../pages/kit/tile.ts';
import type { RouteParts } from '../parts.ts';
import { type SetUpApp, setUpApps } from '../../pages/set-up/apps.ts';
import { addressOf, setUpAddress, stepsOf } from '../../pages/set-up/steps.ts';
import { addressField } from './address.ts';

/** Applications by the id of the app that they are for. */
export type Clients = ReadonlyMap<string, Application>;

interface SetUpView {
  readonly options: RouteParts;
  readonly site: Site;
  readonly endpoint: McpEndpoint;
  readonly clients: Clients | undefined;
  /** What is decided about apps, for the person if it is known who that is. */
  readonly permissions: ReadonlyMap<string, ListedPermission>;
  /** Whether the person can create an application, as far as is known: nobody has to sign in here. */
  readonly mayDecide: boolean;
  /** What the address says of which app it is about. @default the first one */
  readonly chosen: string | undefined;
}

const other = 'other';

/** Which app, what it is given, and whether it has arrived: for one app at a time. */
export function setUp(t: Translator, view: SetUpView): Html {
  const { site, chosen, options } = view;
  const choices = setUpApps.filter((app) => isChoice(app, view));
  const app = chosen === other ? undefined : (choices.find(({ id }) => id === chosen) ?? choices[0]);
  const name = app ? knownApp(app.id).name : t.text('assistants.other.name');
  const values = { client: name, school: site.name };
  const which = { state: 'next', heading: t.html('assistants.which'), body: tiles(t, view, choices, app) } as const;
  if (app && needsClient(app, view) && !view.clients?.get(app.id))
    return stepSections([
      which,
      { state: 'next', heading: t.html('assistants.asks', values), body: withoutClient(t, view, app) },
    ]);
  const check = app && checkAddress(view, app);
  return stepSections([
    which,
    {
      state: 'next',
      heading: t.html('assistants.give', values),
      body: app ? given(t, view, app) : ofOther(t, view),
    },
    {
      state: 'now',
      heading: t.html('assistants.waiting', values),
      body: html`<p class="soft">${t.html('assistants.waiting.text', values)}</p>
${options.paths.check !== undefined && html`<p class="actions"><a class="button" href="${options.paths.check}${check}">${t.html('check.link')}</a></p>`}`,
    },
  ]);
}

/** Not what the person cannot connect, however it is set up. */
function isChoice(app: SetUpApp, view: SetUpView): boolean {
  // A person without a role that the rule needs sees the app with a note: the role can still come.
  const isBlocked = view.permissions.get(app.id)?.refused?.refusal === 'client_blocked';
  return !isBlocked && (app.takesClient !== false || !needsClient(app, view));
}

/** So many are seen at a glance. */
const inView = 5;

function tiles(t: Translator, view: SetUpView, choices: readonly SetUpApp[], app?: SetUpApp): Html {
  const tile = (id: string, name: string, glyph: IconName): Html => {
    const isChosen = id === (app?.id ?? other);
    return html`<li><a class="row" href="${setUpAddress(view.endpoint, id)}"${isChosen && html` aria-current="true"`}>${icon(glyph)}<span>${name}</span></a></li>\n`;
  };
  const known = choices.map(({ id }) => tile(id, knownApp(id).name, appGlyph(id)));
  const last = tile(other, t.text('assistants.other'), 'apps');
  const more = known.slice(inView);
  const isBelow = choices.findIndex((each) => each === app) >= inView;
  return html`<ul class="tiles">${known.slice(0, inView)}${last}</ul>
${more.length > 0 && html`<details${isBelow && html` open`}><summary>${t.html('assistants.more')}</summary><ul class="tiles">${more}</ul></details>`}`;
}

/** What the person cannot do with an app here. */
function permissionNotes(t: Translator, decision: ListedPermission | undefined): Html | false {
  if (!decision) return false;
  const { outcome, waiting, rule } = decision;
  const isWaiting = outcome === 'view_only' && waiting.length > 0;
  return html`${outcome === 'needs_approval' && html`<p>${t.html('rule.now.needs_approval')}</p>`}${isWaiting && html`<p>${t.html('rule.now.view_only')}</p>`}${rule.roles && html`<p>${t.html('assistants.rule.roles')}</p>`}${rule.scopes && html`<p>${t.html('assistants.rule.scopes')}</p>`}`;
}

function needsClient(app: SetUpApp, { options, endpoint }: SetUpView): boolean {
  return app.needsClient === true || endpoint.audience === 'member' || !options.openToApps;
}

function given(t: Translator, view: SetUpView, app: SetUpApp): Html {
  const { site, endpoint, clients } = view;
  const client = clients?.get(app.id);
  return html`${permissionNotes(t, view.permissions.get(app.id))}${stepsOf(t, app, { origin: site.origin, address: addressOf(site, endpoint), client })}
${addressField(t, site, endpoint)}
${client && copyField(t, `${app.id}-client`, 'form.clientId', client.clientId)}
<p class="soft">${t.html('assistants.apps.text')}</p>`;
}

function checkAddress({ clients }: SetUpView, { id }: SetUpApp): string {
  const client = clients?.get(id);
  return `?${new URLSearchParams(client ? { client: client.clientId } : { app: id }).toString()}`;
}

/** An app without an entry registers itself, which it can for operators only. */
function ofOther(t: Translator, { site, endpoint, options }: SetUpView): Html {
  const { requests: requestsPath } = options.paths;
  if (endpoint.audience === 'member')
    return html`<p>${t.html('assistants.other.member', { school: site.name })}</p>
${requestsPath !== undefined && site.connectionsEnabled && html`<p class="actions"><a class="button" href="${requestsPath}?view=new">${t.html('consent.ask.school')}</a></p>`}
${addressField(t, site, endpoint)}`;
  return html`<p>${t.html('assistants.other.text')}</p>
${copyText(t, 'mcp-remote', t.text('assistants.terminal'), `npx mcp-remote ${addressOf(site, endpoint)}`)}
${addressField(t, site, endpoint)}`;
}

function withoutClient(t: Translator, { options, site, endpoint, mayDecide }: SetUpView, { id }: SetUpApp): Html {
  const { developers: applicationsPath, requests: requestsPath } = options.paths;
  const { audience } = endpoint;
  const app = knownApp(id).name;
  const link =
    audience === 'member'
      ? requestsPath && `${requestsPath}?view=new&app=${id}`
      : mayDecide && applicationsPath && `${applicationsPath}/new?audience=operator&app=${id}`;
  const needs = audience === 'member' || !mayDecide ? 'assistants.client.member' : 'assistants.client.operator';
  return html`<p>${t.html(needs, { app, school: site.name })}</p>
${link && site.connectionsEnabled && html`<p class="actions"><a class="button" href="${link}">${t.html(`assistants.client.${audience}.link`)}</a></p>`}`;
}
