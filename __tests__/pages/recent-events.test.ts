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

test('at most 20 events are shown, and what they name is text', async () => {
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

test('without the option there is no such section', async () => {
  await start();
  expect(await pageOf('olivia')).not.toContain('Recent events');
});
