import { type AuditActor, type AuditEvent, isAction } from '../../observe/audit-event.ts';
import { timeOfEvent } from '../../observe/event-id.ts';
import type { FoundEntry } from '../../records/log.ts';

/** The form of a text. A later release reads it too. */
const form = '1';

/** Members that most events have: a word each, in this order. */
const words = [
  'reason',
  'clientId',
  'app',
  'memberId',
  'connectionId',
  'familyId',
  'address',
  'requestId',
  'traceId',
] as const;
type Word = (typeof words)[number];

/** What is kept beside the text, or stands before its words. */
type Beside = 'version' | 'time' | 'eventId' | 'siteId' | 'action' | 'outcome' | 'actor';

/** Members that few events have, and whose values can be any: JSON. */
type RareMember = Exclude<keyof AuditEvent, Word | Beside>;

const actorKinds = new Map<string, AuditActor['kind']>([
  ['m', 'member'],
  ['o', 'operator'],
  ['a', 'administrator'],
  ['c', 'client'],
  ['n', 'anonymous'],
]);
const letters = new Map([...actorKinds].map(([letter, kind]) => [kind, letter]));

/** What stands as it is: nothing that divides words or begins JSON, and nothing that a database refuses. */
const plain = /^[^\p{Cc}\p{Cs}"\\]*$/u;

/**
 * The text of an event, a third of its JSON: words divided by tabs, then the rare members as JSON. The school and the id are kept beside it, and
 * the time is in the id.
 */
export function textOf(event: AuditEvent): string {
  const { clientName, claimed, memberDigest, connections, memberIds, scopes, only } = event;
  const { rule, incident, approved, first, tool, omitted } = event;
  const head = [form, event.action, event.outcome === 'refused' ? '-' : '', actorWord(event)];
  const values = words.map((name) => event[name] ?? '');
  // One look at all of them: in nearly all events each is plain.
  const its = plain.test(values.join('')) ? values : values.map(written);
  const decided = { scopes, only, rule, incident, approved, first };
  const members = { clientName, claimed, memberDigest, connections, memberIds, ...decided, tool, omitted };
  const rare = JSON.stringify(members satisfies Record<RareMember, unknown>);
  return [...head, ...its, ...(rare === '{}' ? [] : [rare])].join('\t');
}

/** The event of an entry; nothing for one that a later release has written in a way that this one does not know. */
export function eventIn({ siteId, id, text }: Pick<FoundEntry, 'siteId' | 'id' | 'text'>): AuditEvent | undefined {
  const [version, action = '', outcome, actor = '', ...rest] = text.split('\t');
  if (version !== form || !isAction(action)) return undefined;
  const known: Partial<Record<Word, string>> = {};
  for (const [i, name] of words.entries()) {
    const value = read(rest[i] ?? '');
    if (value !== undefined) known[name] = value;
  }
  const rare: object = rest.length > words.length ? JSON.parse(rest.slice(words.length).join('\t')) : {};
  return {
    version: 1,
    time: new Date(timeOfEvent(id)).toISOString(),
    // Copies of one event differ in the last two digits.
    eventId: `${id.slice(0, -2)}00`,
    siteId,
    action,
    outcome: outcome === '-' ? 'refused' : 'allowed',
    actor: actorIn(actor, known),
    ...known,
    ...rare,
  };
}

function written(value: string): string {
  return plain.test(value) ? value : JSON.stringify(value);
}

function read(word: string): string | undefined {
  if (word === '') return undefined;
  return word.startsWith('"') ? String(JSON.parse(word)) : word;
}

/** Most actors are the person or the client of the event: a mark says so. An id of its own follows a colon, so none is taken for a mark. */
function actorWord({ actor, memberId, clientId }: AuditEvent): string {
  const letter = letters.get(actor.kind) ?? '';
  if (actor.id === undefined) return letter;
  if (actor.id === memberId) return `${letter}=`;
  return actor.id === clientId ? `${letter}~` : `${letter}:${written(actor.id)}`;
}

function actorIn(word: string, { memberId, clientId }: Partial<Record<Word, string>>): AuditActor {
  const kind = actorKinds.get(word.charAt(0)) ?? 'anonymous';
  const mark = word.charAt(1);
  const id = mark === '=' ? memberId : mark === '~' ? clientId : mark === ':' ? read(word.slice(2)) : undefined;
  return id === undefined ? { kind } : { kind, id };
}
