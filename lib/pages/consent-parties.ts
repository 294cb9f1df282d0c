import { type RuleText, textIn } from '../core/access/rule.ts';
import type { LimitRefusal } from '../core/boundaries/limit-choices.ts';
import type { Refusal } from '../core/access/who-can-change.ts';
import type { Decider } from '../core/access/rule.ts';
import type { ClientInfo } from '../core/clients/client.ts';
import type { Site, Member } from '../host/school-platform.ts';
import { tellsNames } from '../host/member-claims.ts';
import { isLoopbackRedirect, redirectHost } from '../core/clients/redirect-uri.ts';
import type { ChoiceView } from './consent-choice.ts';
import type { Conflict } from './kit/conflict.ts';
import type { TextKey } from '../i18n/texts.ts';
import { copyMark, keyRow } from './kit/marks.ts';
import { claimedMark, html, type Html, isolated, shortName, type Translator } from './kit/markup.ts';
import { type RefusedBy, refusedBy } from './refused-by.ts';

/** What has changed since the page was shown. */
export type StaleConsent = 'version' | 'logo' | 'scopes' | Conflict;

/** What a consent page shows. */
export interface ConsentPage extends ChoiceView {
  readonly member: Member;
  readonly switchAccountUrl: string;
  readonly csrf: string;
  /** What policies say. */
  readonly texts: readonly RuleText[];
  /** Why it is denied, if that is a rule of the school for the client. */
  readonly refusal: Refusal | undefined;
  /** Whose rule that is. @default the school's */
  readonly decider?: Decider | undefined;
  /** What the school calls the roles of which the person needs one. @default none is named */
  readonly onlyRoles?: readonly string[] | undefined;
  /** Where this person can decide otherwise. @default they cannot */
  readonly changePath?: string | undefined;
  /** Whether a policy denied the request: the person can only go back. */
  readonly denied: boolean;
  /** Why the limits that were posted decide nothing. @default they do, or nothing was posted */
  readonly limitProblem?: LimitRefusal | undefined;
  /** What has changed since the form was shown that cannot be accepted. @default nothing */
  readonly stale?: StaleConsent | undefined;
  /** Whether the person can ask the school to let them connect it, or has done so. @default they cannot */
  readonly asking?: 'possible' | 'asked' | undefined;
  /** Where people find what they have asked for. @default there is no such page */
  readonly requestsPath?: string | undefined;
  /** What the form decides on, for the comparison when it is posted. */
  readonly shown: string;
  /** Where the form goes. */
  readonly action: string;
  /** The client's logo as a `data:` URL. @default its monogram */
  readonly logo?: string | undefined;
}

type Row = readonly [name: Html, value: Html];

/** Who the client is, and where it sends the person. */
export function facts(t: Translator, { client, site, redirectUri, startPlaces }: ConsentPage): Row[] {
  const claimed = client.source === 'registered' || client.source === 'document';
  const unverified = html`${isolated(shortName(client.clientName))}${claimedMark(t)}`;
  return [
    // The heading has the name of the others.
    ...(claimed ? [[t.html('consent.application'), unverified] as const] : []),
    ...originRows(t, client, site),
    ...(client.usesKey ? [keyRow(t)] : []),
    ...(redirectUri === ''
      ? startPlaces.map(({ place: [name, value] }): Row => [t.html(name), t.html(value)])
      : [[t.html('consent.redirect'), destination(t, redirectUri)] as const]),
  ];
}

/** Only what is verified: a self-registered client's own statements are not. */
function originRows(t: Translator, { source, clientId, clientUri, copyDate }: ClientInfo, site: Site): Row[] {
  if (source === 'document') {
    const checked = html`<span class="badge good">${t.html('consent.publisher.checked')}</span>`;
    const mark = copyDate === undefined ? checked : copyMark(t, copyDate);
    return [[t.html('consent.publisher'), html`${isolated(hostOf(clientId))} ${mark}`]];
  }
  if (source === 'registered') return [];
  const website: Row[] = clientUri === undefined ? [] : [[t.html('consent.website'), isolated(hostOf(clientUri))]];
  if (source === 'static') return website;
  return [...website, [t.html('consent.origin'), t.html('consent.origin.school', { school: site.name })]];
}

function destination(t: Translator, redirectUri: string): Html {
  const host = redirectHost(redirectUri);
  if (isLoopbackRedirect(redirectUri, { localhost: true })) return t.html('consent.redirect.local', { host });
  return redirectUri.startsWith('https:') ? isolated(host) : t.html('consent.redirect.app', { host });
}

function hostOf(address: string): string {
  return URL.parse(address)?.host ?? address;
}

/** What the school says. */
export function ruleTexts(t: Translator, view: ConsentPage): Html[] {
  const key = view.refusal || view.denied ? ruleText(view) : undefined;
  // Two policies may use the same words.
  const texts = new Set(view.texts.map((text) => textIn([t.language], text)));
  return [
    ...(view.pseudonym && !view.denied ? [pseudonymText(t, view)] : []),
    ...(key ? [t.html(key, { school: view.site.name, roles: (view.onlyRoles ?? []).join(', ') })] : []),
    ...[...texts].map((text) => html`${text}`),
  ];
}

/** The school can allow names beside a pseudonym. */
function pseudonymText(t: Translator, { client, site, scopes }: ConsentPage): Html {
  const values = { client: shortName(client.clientName), school: site.name };
  return t.html(tellsNames(scopes) ? 'consent.pseudonym.named' : 'consent.pseudonym', values);
}

/** What the school, or the platform, says of the client as a whole; another sentence for who can decide otherwise. */
function ruleText(view: ConsentPage): TextKey | undefined {
  const who = view.decider === 'platform' ? '.platform' : view.changePath === undefined ? '' : '.own';
  const texts: Readonly<Record<RefusedBy, TextKey | undefined>> = {
    role: view.onlyRoles && view.onlyRoles.length > 0 ? `consent.role.only${who}` : `consent.role${who}`,
    person: who === '.own' ? 'consent.ask.own' : 'consent.ask',
    version: 'consent.approve.first',
    blocked: `consent.blocked${who}`,
    policy: undefined,
  };
  return texts[refusedBy(view)];
}
