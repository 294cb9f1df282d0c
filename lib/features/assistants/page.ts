import type { Application } from '../../core/applications/application.ts';
import type { PersonAudience } from '../../core/clients/client.ts';
import type { Member, Site } from '../../host/school-platform.ts';
import type { McpDescription, McpEndpoint, ToolDescription } from '../../plugin-contract/plugin.ts';
import type { RouteCall } from '../../http/route.ts';
import { paths } from '../../http/paths.ts';
import type { Scope } from '../../core/scopes/scopes.ts';
import { copyScriptPath } from '../../pages/kit/copy.ts';
import { notice } from '../../pages/kit/notice.ts';
import { html, type Html, isolated, type Translator } from '../../pages/kit/markup.ts';
import type { PageBuilder } from '../../pages/kit/pages.ts';
import { personValues } from '../../pages/kit/person.ts';
import type { RouteParts } from '../parts.ts';
import { endpointFor } from '../../pages/set-up/steps.ts';
import { addressField } from './address.ts';
import { type Clients, setUp } from './set-up.ts';

interface Visitor {
  readonly member: Member;
  readonly audience: PersonAudience;
  /** Whether they can create an application themselves. */
  readonly mayDecide: boolean;
}

/** Who is signed in. The page is for everyone, so a platform that fails, which is reported, does not end it. */
async function visitorOf(options: RouteParts, { ctx, site }: RouteCall): Promise<Visitor | undefined> {
  const { platform, access } = options.kit;
  try {
    const signedIn = await platform.signedInMember(ctx, site);
    const member = signedIn && (await platform.findMember(site, signedIn.memberId));
    if (!member || access(member, 'member') !== 'permitted') return undefined;
    const audience = access(member, 'operator') === 'permitted' ? 'operator' : 'member';
    return { member, audience, mayDecide: access.mayDecide(member) };
  } catch {
    return undefined;
  }
}

/** For whom the address is shown: by the address that was opened, otherwise by the answer to “Who are you?”, or by who is signed in. */
function audienceOf(opened: McpEndpoint, { ctx }: RouteCall, visitor?: Visitor): PersonAudience | undefined {
  if (opened.path !== paths.mcp) return opened.audience;
  const { as } = ctx.query;
  return as === 'operator' || as === 'member' ? as : visitor?.audience;
}

/** For a person who opens an address of the tools in a browser: how to connect an assistant. */
export async function assistantPage(
  options: RouteParts,
  call: RouteCall,
  opened: McpEndpoint,
  { endpoints, tools }: McpDescription,
): Promise<PageBuilder> {
  const { site } = call;
  const school = site.name;
  const visitor = await visitorOf(options, call);
  if (visitor) options.kit.limitPages(site, visitor.member.id);
  // The address that was opened comes first.
  const own = [opened, ...endpoints];
  const choices = audiences.filter((audience) => own.some((each) => each.audience === audience && !each.anonymous));
  const said = audienceOf(opened, call, visitor) ?? (choices.length === 1 ? choices[0] : undefined);
  const audience = choices.length === 0 ? opened.audience : said;
  const endpoint = audience && endpointFor(own, audience);
  const clients = audience === 'member' && visitor ? await clientsOf(options, site, visitor.member) : undefined;
  const permissions = await options.school.apps.appPermissions(site, visitor?.member);
  const signInUrl = endpoint || visitor ? undefined : await signInAddress(options, call);
  const { app } = call.ctx.query;
  const chosen = typeof app === 'string' ? app : undefined;
  const mayDecide = visitor?.mayDecide ?? true;
  return (t) => ({
    page: 'assistants',
    title: t.text('assistants.title', { school }),
    heading: t.html('assistants.heading'),
    script: copyScriptPath,
    body: html`<p>${t.html('assistants.intro', { school })}</p>
${endpoint ? html`${otherAddresses(t, site, endpoints, { endpoint, visitor })}${setUp(t, { options, site, endpoint, clients, permissions, mayDecide, chosen })}` : question(t, { site, own, choices, signInUrl })}
<details><summary><h2>${t.html('assistants.tools')}</h2></summary>
${toolList(t, tools, endpoint)}
</details>`,
  });
}

const audiences: readonly PersonAudience[] = ['operator', 'member'];

/** The applications that the school has created for requests of this member, by app. */
async function clientsOf({ school }: RouteParts, site: Site, { id }: Member): Promise<Clients> {
  const { applications, requests } = school.applications;
  const granted = await requests.list(site, { memberId: id, status: 'granted' });
  const clients = new Map<string, Application>();
  for (const { app, clientId = '' } of granted) {
    const application = await applications.find(site, clientId);
    if (application) clients.set(app, application);
  }
  return clients;
}

/** Where a person signs in to come back here. The page is for everyone, so a platform that fails, which is reported, does not end it. */
async function signInAddress({ kit }: RouteParts, { ctx, site }: RouteCall): Promise<string | undefined> {
  try {
    return await kit.platform.signInUrl(ctx, site, `${site.origin}${ctx.path}`, { reauthenticate: false });
  } catch {
    return undefined;
  }
}

interface WhoQuestion {
  readonly site: Site;
  readonly own: readonly McpEndpoint[];
  readonly choices: readonly PersonAudience[];
  /** Where they sign in, so that nobody has to know. */
  readonly signInUrl: string | undefined;
}

function question(t: Translator, { site, own, choices, signInUrl }: WhoQuestion): Html {
  const open = own.find(({ anonymous }) => anonymous);
  const pageOf = (audience: PersonAudience): string => `${endpointFor(own, audience)?.path}?as=${audience}`;
  return html`<section><h2>${t.html('assistants.who')}</h2>
${signInUrl !== undefined && html`<p class="actions stack"><a class="button primary" href="${signInUrl}">${t.html('assistants.who.signIn')}</a></p>`}
<p class="actions">${choices.map((audience) => html`<a class="button" href="${pageOf(audience)}">${t.html(`assistants.who.${audience}`)}</a>`)}</p></section>
${open && html`<section><h2>${t.html('assistants.anyone')}</h2>${addressField(t, site, open)}</section>`}`;
}

interface Shown {
  readonly endpoint: McpEndpoint;
  readonly visitor: Visitor | undefined;
}

/** The page of the other audience, and why this person needs it. */
function otherAddresses(
  t: Translator,
  { name: school }: Site,
  endpoints: readonly McpEndpoint[],
  { endpoint: { audience }, visitor }: Shown,
): Html | undefined {
  const other = audience === 'operator' ? 'member' : 'operator';
  const found = endpointFor(endpoints, other);
  if (!found) return undefined;
  const isWrong = audience === 'operator' && visitor?.audience === 'member';
  const link = html`<a href="${found.path}?as=${other}">${t.html(`assistants.take.${other}`)}</a>`;
  return isWrong
    ? notice(
        'warn',
        html`${t.html('assistants.notOperator', { name: personValues(visitor.member).name, school })} ${link}`,
      )
    : html`<p>${link}</p>`;
}

/** At the address of one audience, only what its clients can be allowed. */
function toolList(t: Translator, tools: readonly ToolDescription[], endpoint?: McpEndpoint): Html {
  const isChoice = ({ access }: ToolDescription): boolean =>
    endpoint?.anonymous !== false ||
    access === 'public' ||
    access.scopes.every((scope) => t.catalogue.mayHave(endpoint.audience, scope));
  const choices = tools.filter(isChoice);
  if (choices.length === 0) return html`<p>${t.html('assistants.tools.none')}</p>`;
  return html`<ul>${choices.map((tool) => toolRow(t, tool))}</ul>`;
}

/** Names and descriptions are the host's, in whatever language they are. */
function toolRow(t: Translator, { name, title, description, access }: ToolDescription): Html {
  return html`<li><strong>${isolated(title ?? name)}</strong> ${isolated(description)}
<span class="soft">${access === 'public' ? t.html('assistants.tools.public') : needs(t, access.scopes)}</span></li>`;
}

function needs(t: Translator, scopes: readonly Scope[]): Html {
  if (scopes.length === 0) return t.html('assistants.tools.signIn');
  return html`${t.html('assistants.tools.needs')} ${scopes.map((scope, i) => html`${i > 0 && ' · '}${t.scope(scope)}`)}`;
}
