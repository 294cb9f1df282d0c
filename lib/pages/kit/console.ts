import type { NewsItem } from '../../core/news/news-item.ts';
import type { Site } from '../../host/school-platform.ts';
import type { TextKey } from '../../i18n/texts.ts';
import { icon, type IconName } from './icons.ts';
import { html, type Html, type Translator } from './markup.ts';
import type { AppTarget } from '../../core/access/app-rule.ts';

/** Where the pages are; nothing for one that is off. */
export interface PagePaths {
  readonly apps: string | undefined;
  readonly developers: string | undefined;
  readonly yourApps: string | undefined;
  /** Where members ask for applications. */
  readonly requests: string | undefined;
  /** Where a person sees whether their app has arrived. */
  readonly check: string | undefined;
}

/** One of the pages that share a navigation. Everything under its paths belongs to it, unless another section is nearer. */
interface Section {
  readonly label: TextKey;
  readonly icon: IconName;
  /** Where it leads. */
  readonly path: string | undefined;
  /** @default it is on at every school */
  readonly isOn?: (site: Site) => boolean;
  /** Whether the number of apps to review stands beside it. @default false */
  readonly hasReviews?: boolean;
  /** Whether the number of open requests stands beside it. @default false */
  readonly hasRequests?: boolean;
  /** Whether the number of what is new for the person stands beside it. @default false */
  readonly hasNews?: boolean;
}

/** What the link past the navigation leads to. */
export const contentId = 'content';

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
export function consoles({ apps, developers, yourApps, requests }: PagePaths): Consoles {
  return {
    administrator: [
      {
        label: 'console.apps',
        icon: 'apps',
        path: apps,
        hasReviews: true,
      },
      {
        label: 'console.requests',
        icon: 'inbox',
        path: developers && requestsPath(developers),
        isOn: hasApplications,
        hasRequests: true,
      },
      { label: 'console.people', icon: 'people', path: apps && peoplePath(apps) },
      { label: 'console.activity', icon: 'activity', path: apps && `${apps}${activityUnder}` },
      { label: 'console.applications', icon: 'code', path: developers, isOn: hasApplications },
    ],
    member: [
      { label: 'connected.title', icon: 'apps', path: yourApps, hasNews: true },
      { label: 'console.requests', icon: 'inbox', path: requests, isOn: hasApplications },
    ],
  };
}

/** Below the page of the school's connections. */
export const activityUnder = '/activity';

/** Below the same: the people of the school. */
export const peopleUnder = '/people';

/** The list of people, or the page of one. */
export function peoplePath(apps: string, memberId?: string): string {
  return `${apps}${peopleUnder}${memberId === undefined ? '' : `?person=${encodeURIComponent(memberId)}`}`;
}

/** What members ask their school for, for its administrators. */
export function requestsPath(developers: string): string {
  return `${developers}/asked`;
}

/** What a person asks their school for. */
export function requestsUnder<P extends string | undefined>(yourApps: P): P | string {
  return yourApps === undefined ? yourApps : `${yourApps}/requests`;
}

/** The navigation of a console on one of its pages; nothing if it has one section only. */
export function navigation(t: Translator, view: ConsoleView): Html | false {
  const shown = shownSections(view);
  if (shown.length < 2) return false;
  const current = currentSection(view);
  const isPlace = view.audience === 'administrator';
  const link = ({
    label,
    icon: name,
    path,
    hasReviews = false,
    hasRequests = false,
    hasNews = false,
  }: ShownSection): Html =>
    html`<li><a href="${path}"${path === current?.path && html` aria-current="page"`}>${isPlace && icon(name)}${t.html(label)}${hasReviews && countMark(t, 'console.reviews', view.toReview())}${hasRequests && countMark(t, 'console.requests.open', view.openRequests)}${hasNews && countMark(t, 'console.news', view.news.length)}</a></li>`;
  const skip = isPlace && html`<a class="skip button" href="#${contentId}">${t.html('skip')}</a>`;
  return html`<nav class="${isPlace ? 'console' : 'tabs'}" aria-label="${t.text(labels[view.audience])}">${skip}<ul>${shown.map(link)}</ul></nav>`;
}

/** Higher numbers say no more. */
const maxShown = 99;

/** Beside the name of a section; a screen reader says what the number counts. */
function countMark(t: Translator, text: TextKey, open: number): Html | false {
  const count = open > maxShown ? `${maxShown}+` : `${open}`;
  return (
    open > 0 &&
    html`<span class="hide">${t.html(text, { count })}</span><span class="badge primary" aria-hidden="true">${count}</span>`
  );
}

interface ShownSection extends Section {
  readonly path: string;
}

function shownSections({ sections, site }: ConsoleView): ShownSection[] {
  return sections.flatMap(({ path, ...section }) =>
    path !== undefined && section.isOn?.(site) !== false ? [{ ...section, path }] : [],
  );
}

/** What the page is under. */
function currentSection(view: ConsoleView): ShownSection | undefined {
  const around = shownSections(view).filter(({ path }) => `${view.currentPath}/`.startsWith(`${path}/`));
  return around.sort((a, b) => b.path.length - a.path.length)[0];
}

export interface ConsoleView {
  readonly audience: PageAudience;
  readonly sections: readonly Section[];
  readonly site: Site;
  /** The path of the page. */
  readonly currentPath: string;
  /** How many apps wait for a review, once the page has what it shows. */
  readonly toReview: () => number;
  /** How many requests of people wait for an answer of who looks at the page. */
  readonly openRequests: number;
  /** What is new for the person who looks at a page of their own. */
  readonly news: readonly NewsItem[];
}

/** The page of an app or client. A client id can be an address. */
export function targetPath(path: string, target: AppTarget): string {
  return 'app' in target
    ? `${path}?app=${encodeURIComponent(target.app)}`
    : `${path}?client=${encodeURIComponent(target.clientId)}`;
}
