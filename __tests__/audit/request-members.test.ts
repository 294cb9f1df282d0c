import { afterEach, beforeEach, expect, test } from '@jest/globals';
import Koa from 'koa';
import type { AuditEvent } from '../../lib/index.ts';
import { resetClock, passTime } from '../helpers/clock.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
let events: AuditEvent[];
beforeEach(async () => {
  events = [];
  schools = await startSchools({
    app: (campus) => {
      const app = new Koa({ proxy: true });
      app.silent = true;
      return app.use(campus.middleware()).use(campus.requireAccess());
    },
  });
  schools.campus.events.on('audit', (event) => events.push(event));
});
afterEach(async () => {
  resetClock();
  await schools.close();
});

/** A request with a token that is refused, so that there is an event. */
async function refused(headers: Record<string, string> = {}, path = '/api/oauth/userinfo'): Promise<AuditEvent> {
  const { status } = await fetch(`${schools.harbour}${path}`, {
    headers: { authorization: 'Bearer none', ...headers },
  });
  expect(status).toBe(401);
  const event = events.at(-1);
  if (!event) throw new Error('no event');
  return event;
}

const uuid = /^[\da-f]{8}-[\da-f-]{27}$/;
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

test.each(['/api/oauth/userinfo', '/a-route-of-the-host'])(
  'at %s an event has what is known of the request',
  async (path) => {
    const headers = {
      'x-request-id': 'req-7',
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
      'x-forwarded-for': '203.0.113.7',
    };
    expect(await refused(headers, path)).toMatchObject({
      action: 'token.rejected',
      address: '203.0.113.7',
      requestId: 'req-7',
      traceId,
    });
  },
);

test.each([['a b'], ['x'.repeat(65)], ['<script>']])('X-Request-Id: %s is replaced', async (id) => {
  expect((await refused({ 'x-request-id': id })).requestId).toMatch(uuid);
});

test.each([
  [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
  [`00-${traceId}-${'0'.repeat(16)}-01`],
  [`ff-${traceId}-00f067aa0ba902b7-01`],
  [`00-${traceId.toUpperCase()}-00f067aa0ba902b7-01`],
  ['nonsense'],
])('traceparent: %s is no trace', async (traceparent) => {
  expect(await refused({ traceparent })).not.toHaveProperty('traceId');
});

test('a rejected token is reported 60 times a minute and school, with the number of those left out', async () => {
  for (let i = 0; i < 65; i += 1) await refused();
  expect(events).toHaveLength(60);
  expect(events.some((event) => 'omitted' in event)).toBe(false);
  const site = { id: 'summit', origin: schools.summit, name: 'Summit School', connectionsEnabled: true };
  await expect(schools.campus.verify(site, 'none')).rejects.toThrow();
  expect(events.at(-1)).toMatchObject({ siteId: 'summit', action: 'token.rejected' });
  expect(events.at(-1)).not.toHaveProperty('address');
  passTime(60);
  expect((await refused()).omitted).toBe(5);
  expect(await refused()).not.toHaveProperty('omitted');
});
