import type { Application } from '../../core/applications/application.ts';
import type { Site } from '../../host/school-platform.ts';
import type { McpEndpoint } from '../../plugin-contract/plugin.ts';
import type { ProgramDecision } from '../../core/decisions/program-decision.ts';
import { knownProgram } from '../../core/known-programs/known-programs.ts';
import { copyField, copyText } from '../../pages/kit/copy.ts';
import { html, type Html, type Translator } from '../../pages/kit/markup.ts';
import type { ToolPageSources } from '../feature-pages.ts';
import { type SetUpProgram, setUpPrograms } from '../../pages/set-up/programs.ts';
import { addressOf, stepsOf } from '../../pages/set-up/steps.ts';

/** Applications by the id of the program that they are for. */
export type Clients = ReadonlyMap<string, Application>;

interface TilesView {
  readonly options: Pick<ToolPageSources, 'openToPrograms' | 'paths'>;
  readonly site: Site;
  readonly endpoint: McpEndpoint;
  readonly clients: Clients | undefined;
  /** What is decided about programs, for the person if it is known who that is. */
  readonly decisions: ReadonlyMap<string, ProgramDecision>;
  /** Whether the person can create an application, as far as is known: nobody has to sign in here. */
  readonly mayDecide: boolean;
}

export function programTiles(t: Translator, view: TilesView): Html {
  const { options, site, endpoint } = view;
  const address = addressOf(site, endpoint);
  const offered = setUpPrograms.filter(
    (program) =>
      view.decisions.get(program.id)?.rule.access !== 'blocked' &&
      (program.takesClient !== false || !needsClient(program, view)),
  );
  const link =
    endpoint.audience === 'member' ? options.paths.requestsPath : view.mayDecide && options.paths.applicationsPath;
  const text = endpoint.audience === 'member' ? 'request.title' : 'assistants.operators.link';
  // A program without a client ID registers itself.
  const other =
    endpoint.audience === 'member'
      ? html`<p>${t.html('assistants.other.member', { school: site.name })}</p>`
      : html`<p>${t.html('assistants.other.text')}</p>${copyText(t, 'mcp-remote', t.text('assistants.terminal'), `npx mcp-remote ${address}`)}`;
  return html`<section><h2>${t.html('assistants.programs')}</h2>
<p>${t.html('assistants.programs.text')}</p>
<div class="tiles">${offered.map((program) => html`<details id="${program.id}"><summary>${knownProgram(program.id).name}</summary>${decisionNotes(t, view.decisions.get(program.id))}${tile(t, view, program)}</details>`)}
<details><summary>${t.html('assistants.other')}</summary>${other}</details></div>
</section>
${link && site.connectionsEnabled && html`<p><a href="${link}">${t.html(text, { school: site.name })}</a></p>`}`;
}

/** What the person cannot do with a program here. */
function decisionNotes(t: Translator, decision: ProgramDecision | undefined): Html | false {
  if (!decision) return false;
  const { outcome, rule } = decision;
  return html`${outcome === 'needs_approval' && html`<p>${t.html('rule.now.needs_approval')}</p>`}${rule.access === 'view_only' && html`<p>${t.html('rule.now.view_only')}</p>`}${rule.roles && html`<p>${t.html('assistants.rule.roles')}</p>`}${rule.scopes && html`<p>${t.html('assistants.rule.scopes')}</p>`}`;
}

function needsClient(program: SetUpProgram, { options, endpoint }: TilesView): boolean {
  return program.needsClient === true || endpoint.audience === 'member' || !options.openToPrograms;
}

function tile(t: Translator, view: TilesView, program: SetUpProgram): Html {
  const { options, site, endpoint, clients } = view;
  const { checkPath } = options.paths;
  const client = clients?.get(program.id);
  if (needsClient(program, view) && !client) return withoutClient(t, view, program);
  const check = client ? `client=${client.clientId}` : `program=${program.id}`;
  return html`${client && copyField(t, `${program.id}-client`, 'form.clientId', client.clientId)}
${stepsOf(t, program, { origin: site.origin, address: addressOf(site, endpoint), client })}
${checkPath && html`<p><a href="${checkPath}?${check}">${t.html('check.link')}</a></p>`}`;
}

function withoutClient(t: Translator, { options, site, endpoint, mayDecide }: TilesView, { id }: SetUpProgram): Html {
  const { applicationsPath, requestsPath } = options.paths;
  const { audience } = endpoint;
  const program = knownProgram(id).name;
  const link =
    audience === 'member'
      ? requestsPath && `${requestsPath}?view=new&program=${id}`
      : mayDecide && applicationsPath && `${applicationsPath}/new?audience=operator&program=${id}`;
  const needs = audience === 'member' || !mayDecide ? 'assistants.client.member' : 'assistants.client.operator';
  return html`<p>${t.html(needs, { program, school: site.name })}</p>
${link && site.connectionsEnabled && html`<p><a class="button small" href="${link}">${t.html(`assistants.client.${audience}.link`)}</a></p>`}`;
}
