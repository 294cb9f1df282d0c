import type { ClientAudience } from '../../core/clients/client.ts';
import type { Site } from '../../host/school-platform.ts';
import type { McpEndpoint } from '../../plugin-contract/plugin.ts';
import { knownProgram, type ProgramId } from '../../core/known-programs/known-programs.ts';
import { copyText } from '../kit/copy.ts';
import { html, type Html, type Translator } from '../kit/markup.ts';
import { hiddenSecret, type SetUpProgram, setUpPrograms, type Target } from './programs.ts';

/** The address for programs of this audience; none for services. One that serves everyone comes last: there, most programs never sign in. */
export function endpointFor(endpoints: readonly McpEndpoint[], audience: ClientAudience): McpEndpoint | undefined {
  const own = endpoints.filter((endpoint) => endpoint.audience === audience);
  return own.find(({ anonymous }) => !anonymous) ?? own[0];
}

export function addressOf({ origin }: Site, { path }: McpEndpoint): string {
  return `${origin}${path}`;
}

/** The page at the address of the tools, about one program. */
export function setUpAddress({ path, audience, anonymous }: McpEndpoint, program: string): string {
  return `${path}?${new URLSearchParams({ ...(anonymous && { as: audience }), program }).toString()}`;
}

/** What a person clicks, enters or pastes to connect a program; nothing for one that is not known. */
export function setUpSteps(t: Translator, id: ProgramId | undefined, target: Target): Html | undefined {
  const program = setUpPrograms.find((each) => each.id === id);
  return program && stepsOf(t, program, target);
}

export function stepsOf(t: Translator, program: SetUpProgram, target: Target): Html {
  const { id, link, steps, pastes = [], after } = program;
  const { name } = knownProgram(id);
  const { client } = target;
  const texts = pastes.map(({ file, text }) => ({ file, text: text(target) }));
  const isHidden = texts.some(({ text }) => text.includes(hiddenSecret));
  return html`${link && html`<p><a class="button small" href="${link(target)}">${t.html('assistants.open', { program: name })}</a></p>`}
${steps && html`<p>${t.html(steps)}</p>`}
${texts.map(({ file, text }, i) => copyText(t, `${id}-${i}`, file === undefined ? t.text('assistants.terminal') : t.text('assistants.file', { file }), text))}
${client && isHidden && html`<p>${t.html('assistants.secret', { placeholder: hiddenSecret })}</p>`}
${after && html`<p>${t.html(after)}</p>`}`;
}
