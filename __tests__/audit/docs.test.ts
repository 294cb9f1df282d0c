import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { AuditEvent } from '../../lib/index.ts';
import { connect, memberApp, refresh } from '../helpers/flow.ts';
import { startSchools } from '../helpers/schools.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/reference/events.md'), 'utf8');

test('the lines in docs/reference/events.md are those of a sign-in', async () => {
  const schools = await startSchools();
  const events: AuditEvent[] = [];
  schools.campus.events.on('audit', (event) => events.push(event));
  const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp, { scope: 'openid account:read' });
  await refresh(schools.harbour, memberApp, body['refresh_token']);
  await schools.close();
  const lines = events.map((event, i) =>
    JSON.stringify({
      ...event,
      time: `2026-11-22T08:15:3${i}.000Z`,
      eventId: `0d2c2c5e-6f0e-4c3f-9a51-7d2b8e4f1a0${i}`,
      ...(event.familyId !== undefined && { familyId: 'kX2vB9sQ0aE' }),
      address: '203.0.113.7',
      requestId: `req-${i + 1}`,
    }),
  );
  expect(/```jsonl\n([^]*?)```/.exec(text)?.[1]).toBe(`${lines.join('\n')}\n`);
});
