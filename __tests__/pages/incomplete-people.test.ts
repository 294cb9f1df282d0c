import { afterEach, describe, expect, test } from '@jest/globals';
import type { AuditEvent, Member } from '../../lib/index.ts';
import { authorizeUrl, connect, memberApp, pkce } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';

let schools: Schools;
/** The address of an application that the administrator has made. */
let created: string;
afterEach(() => schools.close());

const apps = '/developers/apps';
const applications = '/developers/oauth-applications';
const own = '/account/apps';
const chat = { clientName: 'Chat', redirectUris: ['https://chat.example/callback'] } as const;

/** A school of an administrator and a pupil, and what has happened there that pages tell. Returns the address of the pupil's app. */
async function start(person: Partial<Member>): Promise<string> {
  const events: AuditEvent[] = [];
  schools = await startSchools({ ...plugins, campus: { log: { list: () => ({ events }) } } });
  schools.campus.events.on('audit', (event) => events.unshift(event));
  const missing = { name: null, email: undefined, picture: '' };
  schools.people['harbour'] = {
    admin: { id: 'admin', ...missing, ...person, roles: ['owner'] },
    pupil: { id: 'pupil', ...missing, ...person, roles: ['student'] },
    nobody: { id: 'nobody', ...missing, ...person, roles: [] },
  };
  const { campus, harbour } = schools;
  const site = siteOf(schools);
  await campus.apps.set(site, { clientId: memberApp.id }, { access: 'allowed', ask: true }, { by: 'admin' });
  await campus.apps.allowPerson(site, { clientId: memberApp.id }, 'pupil', { by: 'admin' });
  await connect(schools.browser('pupil'), harbour, memberApp);
  const scopes = ['openid'] as const;
  const timer = { clientName: 'Timer', redirectUris: ['https://timer.example/callback'], audience: 'member' } as const;
  const more = { confidential: false, scopes, createdBy: 'admin' };
  const { application } = await campus.applications.create(site, { ...timer, ...more });
  const declined = await campus.requests.ask(site, 'pupil', { ...chat, app: 'libre-chat' });
  await campus.requests.decline(site, declined.id, 'No', { by: 'admin' });
  await campus.requests.ask(site, 'pupil', { ...chat, app: 'claude' });
  const [connection] = await campus.connections.list(site, 'pupil');
  expect(schools.faults).toEqual([]);
  created = `${applications}/${application.clientId}`;
  return `${own}/${connection?.id}`;
}

const textAt = async (person: string, path: string | URL, language = 'en'): Promise<string> => {
  const { html } = await schools
    .browser(person)
    .follow(new URL(path, schools.harbour), { headers: { 'accept-language': language } });
  return html.startsWith('<!') ? readPage(html).text : html;
};

const everybody = (name: string) => ({ admin: name, pupil: name, nobody: name });

const consent = () => authorizeUrl(schools.harbour, memberApp, pkce(), { prompt: 'consent' });

describe.each<[string, Partial<Member>, ReturnType<typeof everybody>]>([
  ['only an id', {}, { admin: 'admin', pupil: 'pupil', nobody: 'nobody' }],
  ['a name', { name: 'Pat Person' }, everybody('Pat Person')],
  ['an address', { email: 'pat@example.com' }, everybody('pat@example.com')],
  ['a blank name', { name: '\u00a0', email: 'pat@example.com' }, everybody('pat@example.com')],
])('people with %s', (_what, person, shown) => {
  test.each(['en', 'zh-Hant'])('are named by that on every page, in %s', async (language) => {
    const app = await start(person);
    const pages: readonly [string, string | URL, string][] = [
      ['pupil', own, shown.pupil],
      ['pupil', app, shown.pupil],
      ['pupil', `${app}?view=print`, shown.pupil],
      ['pupil', `${own}/requests`, shown.pupil],
      ['pupil', consent(), shown.pupil],
      ['pupil', apps, shown.pupil],
      ['pupil', '/mcp/operator', shown.pupil],
      ['nobody', own, shown.nobody],
      ['admin', apps, shown.admin],
      ['admin', `${apps}?client=${memberApp.id}`, shown.pupil],
      ['admin', `${apps}/activity?all=yes`, shown.pupil],
      ['admin', applications, shown.admin],
      ['admin', created, shown.admin],
      ['admin', `${applications}/asked`, shown.pupil],
      ['admin', `${applications}/asked?status=decided`, shown.pupil],
      ['admin', `${apps}/activity?all=yes&format=csv`, shown.pupil],
      ['admin', `${apps}?format=csv`, ''],
      ['admin', `${applications}?format=csv`, ''],
    ];
    for (const [who, path, name] of pages) {
      const text = await textAt(who, path, language);
      expect([path, text]).toEqual([path, expect.stringContaining(name)]);
      expect([path, text]).toEqual([path, expect.not.stringMatching(/undefined|null|[(（]\s*[)）]|no longer at the/)]);
      const addresses = text.match(/\S+@\S+/g) ?? [];
      expect([path, addresses.length > 0]).toEqual([path, typeof person.email === 'string' && name !== '']);
    }
    expect(schools.faults).toEqual([]);
  });
});

test('who has no address is not promised one: not where they allow an app, and not on the page of the app', async () => {
  const app = await start({ name: 'Pat Person' });
  for (const page of [consent(), app, `${app}?view=print`]) {
    const text = await textAt('pupil', page);
    expect(text).toMatch(/An email address, if (?:you get|there is) one later/);
    expect(text).not.toContain('Your email address');
  }
  schools.people['harbour'] = { pupil: { id: 'pupil', email: 'pat@example.com', roles: ['student'] } };
  expect(await textAt('pupil', app)).toContain('Your email address');
});
