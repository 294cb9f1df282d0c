import type { ClientAudience } from '../../core/clients/client.ts';
import type { Site } from '../../host/school-platform.ts';
import type { McpEndpoint } from '../../plugin-contract/plugin.ts';
import { knownApp, type KnownAppId } from '../../core/known-apps/known-apps.ts';
import { copyText } from '../kit/copy.ts';
import { html, type Html, type Translator } from '../kit/markup.ts';
import { hiddenSecret, type SetUpApp, setUpApps, type Target } from './apps.ts';

/** The address for apps of this audience; none for services. One that serves everyone comes last: there, most apps never sign in. */
export function endpointFor(endpoints: readonly McpEndpoint[], audience: ClientAudience): McpEndpoint | undefined {
  const own = endpoints.filter((endpoint) => endpoint.audience === audience);
  return own.find(({ anonymous }) => !anonymous) ?? own[0];
}

export function addressOf({ origin }: Site, { path }: McpEndpoint): string {
  return `${origin}${path}`;
}

/** The page at the address of the tools, about one app. */
export function setUpAddress({ path, audience, anonymous }: McpEndpoint, app: string): string {
  return `${path}?${new URLSearchParams({ ...(anonymous && { as: audience }), app }).toString()}`;
}

/** What a person clicks, enters or pastes to connect an app; nothing for one that is not known. */
export function setUpSteps(t: Translator, id: KnownAppId | undefined, target: Target): Html | undefined {
  const app = setUpApps.find((each) => each.id === id);
  return app && stepsOf(t, app, target);
}

export function stepsOf(t: Translator, app: SetUpApp, target: Target): Html {
  const { id, link, steps, pastes = [], after } = app;
  const { name } = knownApp(id);
  const { client } = target;
  const texts = pastes.map(({ file, text }) => ({ file, text: text(target) }));
  const isHidden = texts.some(({ text }) => text.includes(hiddenSecret));
  return html`${link && html`<p><a class="button small" href="${link(target)}">${t.html('assistants.open', { app: name })}</a></p>`}
${steps && html`<p>${t.html(steps)}</p>`}
${texts.map(({ file, text }, i) => copyText(t, `${id}-${i}`, file === undefined ? t.text('assistants.terminal') : t.text('assistants.file', { file }), text))}
${client && isHidden && html`<p>${t.html('assistants.secret', { placeholder: hiddenSecret })}</p>`}
${after && html`<p>${t.html(after)}</p>`}`;
}
