import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import type { AuditEvent } from '../../lib/index.ts';
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
