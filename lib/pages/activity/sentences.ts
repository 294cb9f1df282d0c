import type { ToolDescription } from '../../plugin-contract/plugin.ts';
import { isFixedKey, type TextKey } from '../../i18n/texts.ts';
import { hostNames, placeholdersOf, type TextOverrides } from '../../i18n/translations.ts';
import { optionError } from '../../kernel/validate.ts';
import { auditDecisions, type AuditEvent } from '../../observe/audit-event.ts';
import { html, Html, isolated, shortName, type Translator } from '../kit/markup.ts';

interface Tool {
  readonly title: string;
  /** The key of the host's own sentence, and whether that names what the call was about. */
  readonly did: { readonly key: TextKey; readonly namesAbout: boolean } | undefined;
}

/** How Activity speaks of the tools, by name. */
export type Tools = ReadonlyMap<string, Tool>;

/** @throws TypeError for a sentence about a tool that is not there */
export function toolSentences(tools: readonly ToolDescription[], texts: TextOverrides): Tools {
  const told = new Set(hostNames(texts).calls);
  const unknown = [...told].find((each) => !tools.some(({ name }) => name === each));
  if (unknown !== undefined) throw optionError('pages.texts', `not have did.${unknown}: there is no such tool`);
  return new Map(
    tools.map(({ name, title = name }) => {
      const key = `did.${name}` as const;
      const namesAbout = Object.values(texts).some((each) => placeholdersOf(each[key] ?? '').has('about'));
      return [name, { title, did: told.has(name) ? { key, namesAbout } : undefined }];
    }),
  );
}

/** Names for one reader; `undefined` for whom they are not told, or who is not known. */
export interface Names {
  readonly client: (event: AuditEvent) => Html | undefined;
  readonly person: (memberId: string) => Html | undefined;
}

export interface Telling {
  readonly names: Names;
  readonly tools: Tools;
}

/** Who acted, where nobody is named. */
const unnamed: Readonly<Partial<Record<AuditEvent['actor']['kind'], TextKey>>> = {
  operator: 'event.a.operator',
  administrator: 'event.a.administrator',
};

/** What an event says, with names in place of ids. */
export function sentence(t: Translator, event: AuditEvent, { names, tools }: Telling): Html {
  const { actor, memberId, tool, connections } = event;
  const person = (id: string | null | undefined): Html | undefined => (id ? names.person(id) : undefined);
  const named = tools.get(tool?.name ?? '')?.title ?? tool?.name ?? '';
  return capitalized(
    t.html(keyOf(event, tools), {
      client: names.client(event) ?? t.html('event.a.program'),
      person: person(memberId) ?? t.html('event.a.person'),
      actor: person(actor.id) ?? t.html(unnamed[actor.kind] ?? 'event.a.person'),
      tool: isolated(shortName(named)),
      about: isolated(shortName(tool?.about ?? '')),
      count: connections ?? 1,
      action: isolated(shortName(event.action)),
    }),
    t.language,
  );
}

/** A log may have actions of a later release. */
function keyOf(event: AuditEvent, tools: Tools): TextKey {
  const { action, tool } = event;
  if (!Object.hasOwn(auditDecisions, action) || (action === 'tool.called' && !tool)) return 'event.other';
  const variant = variantOf(event) ?? '';
  const did = tools.get(tool?.name ?? '')?.did;
  if (did && (variant === 'about' || (variant === '' && !did.namesAbout))) return did.key;
  const key = `event.${action}.${variant}`;
  return isFixedKey(key) ? key : `event.${action}`;
}

function variantOf({ action, reason, tool, memberId, clientId, connections }: AuditEvent): string | null | undefined {
  if (tool) {
    if (!memberId && !clientId) return 'anonymous';
    if (!memberId) return tool.outcome === 'succeeded' ? 'service' : 'service_failed';
    if (tool.outcome === 'succeeded') return tool.about ? 'about' : undefined;
    return tool.outcome === 'refused' ? 'refused' : 'failed';
  }
  // Only a service has access without a person.
  if (action !== 'connection.ended') return reason ?? (memberId ? undefined : 'service');
  if (!clientId) return 'all';
  return typeof connections === 'number' ? 'people' : undefined;
}

/** Words for a person or a program can begin a sentence; a name stays as it is, since it is in an element. */
function capitalized({ text }: Html, language: string): Html {
  return new Html(text.replace(/^\p{Ll}/u, (letter) => letter.toLocaleUpperCase(language)));
}

interface EventList extends Telling {
  readonly events: readonly AuditEvent[];
  /** How times are shown. */
  readonly time: 'clock' | 'moment';
}

export function eventList(t: Translator, { events, time, ...telling }: EventList): Html {
  return html`<ul class="events">${events.map(
    (
      event,
    ) => html`<li>${t[time](secondsOf(event))} <span>${sentence(t, event, telling)}${why(event)}${callbackOf(event)}</span></li>
`,
  )}</ul>`;
}

/** The code of a refusal that its sentence does not explain. */
function why({ action, decision, reason }: AuditEvent): Html | false {
  const isCode = decision === 'refused' && !!reason && !isFixedKey(`event.${action}.${reason}`);
  return isCode && html` <code>${shortName(reason)}</code>`;
}

/** Where a refused program asked to be sent back to. */
function callbackOf({ claimed }: AuditEvent): Html | false {
  const [uri] = claimed?.redirectUris ?? [];
  return uri !== undefined && html` <code dir="ltr">${shortName(uri)}</code>`;
}

export function secondsOf({ time }: Pick<AuditEvent, 'time'>): number {
  return Math.floor(Date.parse(time) / 1000);
}
