import type { ToolDescription } from '../../plugin-contract/plugin.ts';
import type { TextKey } from '../../i18n/texts.ts';
import { hostNames, placeholdersOf, type TextOverrides } from '../../i18n/translations.ts';
import { optionError } from '../../kernel/validate.ts';
import { type AuditAction, isAction, type AuditEvent } from '../../observe/audit-event.ts';
import type { AppStatus } from '../../core/clients/client-status.ts';
import { ruleWord, statusOfRule } from '../../core/access/rule.ts';
import type { ScopeCatalogue } from '../../core/scopes/scopes.ts';
import { events as eventRows } from '../kit/events.ts';
import type { IconName } from '../kit/icons.ts';
import { changesData } from '../kit/permission-row.ts';
import { limitLine } from '../kit/limits.ts';
import type { FoundLimits } from './limits.ts';
import type { FoundNames } from './names.ts';
import { html, Html, isolated, shortName, type Translator } from '../kit/markup.ts';
import { checkEach } from '../../kernel/check-each.ts';

interface Tool {
  readonly title: string;
  /** Whether it changes data: it needs a permission that does. */
  readonly changes: boolean;
  /** The key of the host's own sentence, and whether that names what the call was about. */
  readonly did: { readonly key: TextKey; readonly namesAbout: boolean } | undefined;
}

/** How Activity speaks of the tools, by name. */
export type Tools = ReadonlyMap<string, Tool>;

/** @throws TypeError for a sentence about a tool that is not there */
export function toolSentences(
  tools: readonly ToolDescription[],
  texts: TextOverrides,
  { rows }: ScopeCatalogue,
): Tools {
  const told = new Set(hostNames(texts).calls);
  checkEach(told, (each) => {
    if (tools.some(({ name }) => name === each)) return;
    throw optionError('pages.texts', `not have did.${each}: the tool does not exist`);
  });
  return new Map(
    tools.map(({ name, title = name.replaceAll('_', ' '), access }) => {
      const key = `did.${name}` as const;
      const namesAbout = Object.values(texts).some((each) => placeholdersOf(each[key] ?? '').has('about'));
      const scopes = access === 'public' ? [] : access.scopes;
      const changes = rows.some((row) => changesData(row) && scopes.includes(row.scope));
      return [name, { title, changes, did: told.has(name) ? { key, namesAbout } : undefined }];
    }),
  );
}

/** Names for one reader; `undefined` for whom they are not told, or who is not known. */
export interface Names {
  readonly client: (event: AuditEvent) => Html | undefined;
  readonly person: (memberId: string) => Html | undefined;
  /** What an app was limited to. */
  readonly limits: FoundLimits;
}

export interface Telling {
  readonly names: Names;
  readonly tools: Tools;
  /** Whether it is told to the person whom it is about: “You connected it”. @default false */
  readonly isOwn?: boolean | undefined;
}

/** Who acted, where nobody is named. */
const unnamed: Readonly<Partial<Record<AuditEvent['actor']['kind'], TextKey>>> = {
  operator: 'event.a.operator',
  administrator: 'event.a.administrator',
};

/** What an event says, with names in place of ids. */
export function sentence(t: Translator, event: AuditEvent, { names, tools, isOwn = false }: Telling): Html {
  const { actor, memberId } = event;
  const person = (id: string | null | undefined): Html | undefined => (id ? names.person(id) : undefined);
  const { tool, about, action, ...others } = valuesOf(t, event, tools);
  const key = keyOf(t, event, tools);
  const ownKey = `own.${key}`;
  const { text } = t.html(isOwn && t.has(ownKey) ? ownKey : key, {
    client: names.client(event) ?? t.html('event.a.app'),
    person: person(memberId) ?? t.html('event.a.person'),
    actor: person(actor.id) ?? t.html(unnamedActor(event, isOwn)),
    tool: isolated(tool),
    about: isolated(about),
    action: isolated(action),
    ...others,
  });
  // A name stays as it is, since it is in an element.
  return new Html(capitalized(text, t.language));
}

/** A person reads of staff, whichever role they act in. */
function unnamedActor({ actor }: AuditEvent, isOwn: boolean): TextKey {
  const key = unnamed[actor.kind];
  if (key === undefined) return 'event.a.person';
  return isOwn ? 'event.a.staff' : key;
}

/** The same as text, for a file. */
export function sentenceText(t: Translator, event: AuditEvent, { client, person }: FoundNames, tools: Tools): string {
  const { actor, memberId } = event;
  const nameOf = (id: string | null | undefined): string | undefined => (id ? person(id) : undefined);
  const text = t.text(keyOf(t, event, tools), {
    client: client(event).name ?? t.text('event.a.app'),
    person: nameOf(memberId) ?? t.text('event.a.person'),
    actor: nameOf(actor.id) ?? t.text(unnamedActor(event, false)),
    ...valuesOf(t, event, tools),
  });
  return capitalized(text, t.language);
}

/** What a sentence has beside the names. */
function valuesOf(t: Translator, event: AuditEvent, tools: Tools) {
  const { tool, connections, action } = event;
  const status = statusIn(event);
  return {
    // A name is for apps: people read its words.
    tool: shortName(tools.get(tool?.name ?? '')?.title ?? tool?.name.replaceAll('_', ' ') ?? ''),
    about: shortName(tool?.about ?? ''),
    count: connections ?? 1,
    action: shortName(action),
    status: status === undefined ? '' : t.text(`status.${status}`),
  };
}

/** The status that a decision gives to an app, or because of which somebody was refused. */
function statusIn({ reason, rule }: AuditEvent): AppStatus | undefined {
  if (rule) return statusOfRule[ruleWord(rule)];
  return reason === 'client_blocked' ? 'blocked' : undefined;
}

function keyOf(t: Translator, event: AuditEvent, tools: Tools): TextKey {
  const { action, tool } = event;
  if (!isAction(action) || (action === 'tool.called' && !tool)) return 'event.other';
  const variant = variantOf(event) ?? '';
  const did = tools.get(tool?.name ?? '')?.did;
  if (did && (variant === 'about' || (variant === '' && !did.namesAbout))) return did.key;
  const key = `event.${action}.${variant}`;
  return t.has(key) ? key : `event.${action}`;
}

function variantOf({
  action,
  reason,
  tool,
  memberId,
  clientId,
  connections,
  actor,
}: AuditEvent): string | null | undefined {
  if (tool) {
    if (!memberId && !clientId) return 'anonymous';
    if (!memberId) return tool.outcome === 'succeeded' ? 'service' : 'service_failed';
    if (tool.outcome === 'succeeded') return tool.about ? 'about' : undefined;
    return tool.outcome === 'refused' ? 'refused' : 'failed';
  }
  // Only a service has access without a person.
  if (action !== 'connection.ended') return reason ?? (memberId ? undefined : 'service');
  if (reason === 'person_gone') return reason;
  if (memberId && actor.kind === 'administrator') return clientId ? 'of_person' : 'all_of_person';
  if (!clientId) return 'all';
  return typeof connections === 'number' ? 'people' : undefined;
}

/** Words for a person or an app can begin a sentence. */
export function capitalized(text: string, language: string): string {
  return text.replace(/^\p{Ll}/u, (letter) => letter.toLocaleUpperCase(language));
}

interface EventList extends Telling {
  readonly events: readonly AuditEvent[];
  /** How times are shown. */
  readonly time: 'clock' | 'nearMoment';
  /** Whether to show codes and addresses too, which are for who looks for a cause. @default false */
  readonly isDetailed?: boolean | undefined;
}

export function eventList(t: Translator, { events, time, isDetailed = false, ...telling }: EventList): Html {
  return eventRows(
    events.map((event) => ({
      ...lookOf(event, telling.tools),
      text: html`${sentence(t, event, telling)}${limitLine(t, telling.names.limits(event))}${isDetailed && html`${why(t, event)}${callbackOf(event)}`}`,
      time: t[time](secondsOf(event.time)),
    })),
  );
}

const icons: ReadonlyMap<AuditAction, IconName> = new Map<AuditAction, IconName>([
  ['authorization.granted', 'check'],
  ['consent.given', 'check'],
  ['consent.narrowed', 'check'],
  ['token.issued', 'loop'],
  ['token.refreshed', 'loop'],
  ['token.replayed', 'loop'],
  ['application.created', 'plus'],
  ['application.changed', 'change'],
  ['application.secret_rotated', 'key'],
  ['connection.narrowed', 'change'],
  ['connection.widened', 'plus'],
  ['app.decided', 'shield'],
  ['document.seen', 'clock'],
  ['request.made', 'inbox'],
  ['request.withdrawn', 'inbox'],
  ['request.granted', 'check'],
  ['session.ended', 'person'],
]);

const ended: readonly AuditAction[] = [
  'application.removed',
  'connection.ended',
  'member.erased',
  'school.removed',
  'token.revoked',
];

/** Red is for what was refused or ended. */
function lookOf(event: AuditEvent, tools: Tools): { readonly icon: IconName; readonly isBad?: boolean } {
  const { action, outcome, tool } = event;
  if (outcome === 'refused' || statusIn(event) === 'blocked' || tool?.outcome === 'refused')
    return { icon: 'block', isBad: true };
  // A person who disconnects an app does what they want.
  if (ended.includes(action)) return { icon: 'delete', isBad: event.actor.kind !== 'member' };
  if (!tool) return { icon: icons.get(action) ?? 'activity' };
  if (tool.outcome !== 'succeeded') return { icon: 'warn' };
  return { icon: tools.get(tool.name)?.changes === true ? 'change' : 'view' };
}

/** The code of a refusal that its sentence does not explain. */
function why(t: Translator, { action, outcome, reason }: AuditEvent): Html | false {
  const isCode = outcome === 'refused' && !!reason && !t.has(`event.${action}.${reason}`);
  return isCode && html` <code>${shortName(reason)}</code>`;
}

/** Where a refused app asked to be sent back to, or for whom its assertion was. */
function callbackOf({ claimed }: AuditEvent): Html | false {
  const [uri] = claimed?.redirectUris ?? claimed?.audiences ?? [];
  return uri !== undefined && html` <code dir="ltr">${shortName(uri)}</code>`;
}

export function secondsOf(time: string): number {
  return Math.floor(Date.parse(time) / 1000);
}
