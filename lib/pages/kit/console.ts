import type { Site } from '../../host/school-platform.ts';
import type { TextKey } from '../../i18n/texts.ts';
import type { PagesSettings } from './options.ts';
import { html, type Html, type Translator } from './markup.ts';
import type { ProgramTarget } from '../../core/decisions/program-rule.ts';

/** Where the pages are; nothing for one that is off. */
interface ConsolePaths extends Pick<PagesSettings, 'connections' | 'applications' | 'connectedApps'> {
  /** Where members ask for applications. */
  readonly requests: string | undefined;
}

/** One of the pages that share a navigation. Everything under its path belongs to it, unless another section is nearer. */
interface Section {
  readonly label: TextKey;
  readonly path: string | undefined;
  /** @default it is on at every school */
  readonly isOn?: (site: Site) => boolean;
}

/** Whose pages they are: everyone's with a role at the school, or those of who decides for it. */
export type PageAudience = 'member' | 'administrator';

export type Consoles = Readonly<Record<PageAudience, readonly Section[]>>;

/** The text that names each console. */
const labels: Readonly<Record<PageAudience, TextKey>> = {
  administrator: 'console.operator',
  member: 'console.member',
};

const hasApplications = (site: Site): boolean => site.connectionsEnabled;

/** The sections of each console, in their order. */
export function consoles({ connections, applications, connectedApps, requests }: ConsolePaths): Consoles {
  return {
    administrator: [
      { label: 'console.programs', path: connections && programsPath(connections) },
      { label: 'console.connections', path: connections },
      { label: 'console.applications', path: applications, isOn: hasApplications },
      { label: 'console.requests', path: applications && requestsPath(applications), isOn: hasApplications },
      { label: 'console.activity', path: connections && `${connections}${activityUnder}` },
    ],
    member: [
      { label: 'connected.title', path: connectedApps },
      { label: 'console.requests', path: requests, isOn: hasApplications },
    ],
  };
}

/** Below the page of the school's connections. */
export const activityUnder = '/activity';

export function programsPath(connections: string): string {
  return `${connections}/programs`;
}

/** What members ask their school for, for its administrators. */
export function requestsPath(applications: string): string {
  return `${applications}/asked`;
}

/** The navigation of a console on one of its pages; nothing if it has one section only. */
export function navigation(t: Translator, { sections, audience, site, currentPath }: ConsoleView): Html | false {
  const shown = sections.flatMap(({ path, ...section }) =>
    path !== undefined && section.isOn?.(site) !== false ? [{ ...section, path }] : [],
  );
  if (shown.length < 2) return false;
  const around = shown.filter(({ path }) => `${currentPath}/`.startsWith(`${path}/`));
  const current = around.sort((a, b) => b.path.length - a.path.length)[0]?.path;
  const link = ({ label, path }: (typeof shown)[number]): Html =>
    html`<li><a href="${path}"${path === current && html` aria-current="page"`}>${t.html(label)}</a></li>`;
  return html`<nav class="console" aria-label="${t.text(labels[audience])}"><ul>${shown.map(link)}</ul></nav>`;
}

export interface ConsoleView {
  readonly audience: PageAudience;
  readonly sections: readonly Section[];
  readonly site: Site;
  /** The path of the page. */
  readonly currentPath: string;
}

/** The page of a program or client. A client id can be an address. */
export function targetPath(path: string, target: ProgramTarget): string {
  return 'program' in target
    ? `${programsPath(path)}?program=${encodeURIComponent(target.program)}`
    : `${path}?client=${encodeURIComponent(target.clientId)}`;
}
