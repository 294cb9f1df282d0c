import { afterEach, expect, test } from '@jest/globals';
import type { AuditEvent, PagesOptions } from '../../lib/index.ts';
import { connect, memberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
let events: AuditEvent[];
afterEach(() => schools.close());

async function start(recentEvents?: PagesOptions['recentEvents']): Promise<void> {
  events = [];
  schools = await startSchools({ campus: { pages: { recentEvents } } });
  schools.campus.events.on('audit', (event) => events.unshift(event));
}

const pageOf = async (person: string): Promise<string> =>
  (await schools.browser(person).follow(`${schools.harbour}/developers/connections`)).html;

test('operators see the latest events of their school, with what was done, when and by whom', async () => {
  await start(({ id }) => events.filter(({ siteId }) => siteId === id));
  expect(await pageOf('olivia')).toContain('Nothing has happened yet.');
  await connect(schools.browser('sam'), schools.harbour, memberApp);
  const page = await pageOf('olivia');
  expect(page).toContain('<code>consent.given</code>');
  expect(page).toContain(`?client=${memberApp.id}`);
  expect(page).toMatch(/<time datetime="20[\d-]+T[\d:.]+Z">[^<]+:[^<]+<\/time> · a member/);
  expect(page.indexOf('token.issued')).toBeLessThan(page.indexOf('consent.given'));
  expect(await pageOf('sam')).not.toContain('consent.given');
});

const event: AuditEvent = {
  version: 1,
  time: '2026-11-22T08:00:00.000Z',
  eventId: 'one',
  siteId: 'harbour',
  action: 'registration.refused',
  decision: 'refused',
  reason: '<img src=x>',
  clientId: '"><script>alert(1)</script>',
  actor: { kind: 'anonymous' },
};

test('at most 20 events are shown, and what they name is text', async () => {
  await start(() => Array.from({ length: 50 }, () => event));
  const page = await pageOf('olivia');
  expect(page.match(/registration\.refused/g)).toHaveLength(20);
  expect(page).not.toMatch(/<script>|<img src=x/);
});

test('a log that cannot be read is a fault, and the rest of the page is shown', async () => {
  await start(() => Promise.reject(new Error('the log is away')));
  expect(await pageOf('olivia')).toContain('The events can’t be read right now.');
  expect(schools.faults.map(({ message }) => message)).toEqual(['pages.recentEvents failed']);
});

const asRows = (rows: unknown) => start(JSON.parse('0', () => () => rows));

test.each<[string, unknown, string]>([
  ['rows of a database', { rows: [event] }, 'an object; it must be an array of audit events'],
  ['nothing', null, 'null; it must be an array of audit events'],
  ['no event', [event, null], '[1]: null; it must be an object'],
  ['a time of a database', [{ ...event, time: new Date() }], '[0].time: an instance of Date; it must be a string'],
  ['no time', [{ ...event, time: 'yesterday' }], '[0].time: "yesterday"; it must be a time in ISO 8601'],
  ['an action of its own type', [{ ...event, action: 7 }], '[0].action: 7; it must be a string'],
  ['no decision', [{ ...event, decision: undefined }], '[0].decision: undefined; it must be "allowed" or "refused"'],
  ['the actor as text', [{ ...event, actor: 'olivia' }], '[0].actor: "olivia"; it must be an object'],
  ['another actor', [{ ...event, actor: { kind: 'robot' } }], '[0].actor.kind: "robot"; it must be "member" or'],
])('%s for the events is a fault, and the page says that they cannot be read', async (_what, rows, cause) => {
  await asRows(rows);
  const page = await pageOf('olivia');
  expect(page).toContain('The events can’t be read right now.');
  expect(page).toContain('Connections at');
  expect(schools.faults.map(({ message }) => message)).toEqual(['pages.recentEvents failed']);
  expect(String(schools.faults[0]?.cause)).toContain(`pages.recentEvents() returned ${cause}`);
});

test('null in a column is nothing, and what is not shown is not read', async () => {
  await asRows([...Array.from({ length: 20 }, () => ({ ...event, reason: null, clientId: null })), { broken: true }]);
  expect(await pageOf('olivia')).toContain('<code>registration.refused</code>');
  expect(schools.faults).toEqual([]);
});

test('without the option there is no such section', async () => {
  await start();
  expect(await pageOf('olivia')).not.toContain('Recent events');
});
