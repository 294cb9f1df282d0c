import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import type { AuditEvent } from '../../lib/index.ts';
import { isoTime, newEventId, timeOfEvent } from '../../lib/observe/event-id.ts';
import { auditEmitter, type CampusEvents } from '../../lib/observe/events.ts';
import type { AuditDetails } from '../../lib/observe/audit-event.ts';

test('while nobody listens nothing is read or made', () => {
  const events = new EventEmitter<CampusEvents>();
  const emit = auditEmitter(events);
  const read: (string | symbol)[] = [];
  const details = new Proxy<AuditDetails>(
    { action: 'token.rejected', siteId: 'harbour' },
    { get: (target, name) => (read.push(name), Reflect.get(target, name)) },
  );
  emit(details);
  expect(read).toEqual([]);
  const heard: AuditEvent[] = [];
  events.on('audit', (event) => heard.push(event));
  emit(details);
  expect(heard).toMatchObject([{ action: 'token.rejected', outcome: 'refused', actor: { kind: 'anonymous' } }]);
});

test('an action that does not exist does not compile', () => {
  const emit = auditEmitter(new EventEmitter());
  // @ts-expect-error: the union of actions is closed.
  emit({ action: 'token.eaten', siteId: 'harbour' });
  // @ts-expect-error: what the request says is filled in.
  emit({ action: 'token.issued', siteId: 'harbour', requestId: 'x' });
  expect.assertions(0);
});

test('ids sort by the time of their events, and within a millisecond by their order', () => {
  const times = [1, 2, 2, 2, 3].map((millisecond) => 1_764_360_000_000 + millisecond);
  const ids = times.map(newEventId);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.map(timeOfEvent)).toEqual(times);
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{10}00$/);
});

test('no id comes twice, even if the clock goes back or a millisecond has thousands of events', () => {
  const start = 1_764_370_000_000;
  const times = [...Array.from({ length: 5000 }, () => start + 7), start, start + 7, start + 7];
  const ids = times.map(newEventId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.map(timeOfEvent)).toEqual(times);
});

test('times are written as Date does, whatever came before', () => {
  const moments = [1_764_360_000_000, 1_764_360_000_007, 1_764_360_059_999, 1_764_359_999_999, 1_764_360_000_000];
  expect(moments.map(isoTime)).toEqual(moments.map((moment) => new Date(moment).toISOString()));
});

test('an event has its own members alone: none was set and deleted again', () => {
  const heard: AuditEvent[] = [];
  const events = new EventEmitter<CampusEvents>();
  events.on('audit', (event) => heard.push(event));
  auditEmitter(events)({ action: 'token.issued', siteId: 'harbour', reason: undefined, clientId: 'app' });
  const [event] = heard;
  expect(Object.keys(event ?? {})).toEqual([
    'version',
    'time',
    'eventId',
    'siteId',
    'action',
    'outcome',
    'actor',
    'clientId',
  ]);
  expect(timeOfEvent(event?.eventId ?? '')).toBe(Date.parse(event?.time ?? ''));
});
