import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { clientCredentials } from '../../../lib/grant-types.ts';
import type { AuditEvent, StaticClient } from '../../../lib/index.ts';
import { loopbackClients, vendorPlatforms, wellKnownVendors } from '../../../policies/index.ts';
import { startChromium } from '../../helpers/chromium.ts';
import { testClients } from '../../helpers/clients.ts';
import {
  authorizeUrl,
  connect,
  exchange,
  memberApp,
  type Pkce,
  pkce,
  refresh,
  type TestClient,
  userinfo,
  registerClaude,
} from '../../helpers/flow.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { listen } from '../../helpers/server.ts';
import { serviceToken } from '../../helpers/services.ts';
import { siteOf } from '../../helpers/sites.ts';
import { callTool } from '../../mcp/rpc.ts';
import { Visitor, type Way } from './visitor.ts';
import { applicationsPath, yourAppsPath, schoolPath } from './states.ts';

// Journeys, each to where a person wanted to be.

const many: readonly StaticClient[] = Array.from({ length: 60 }, (_, i) => ({
  clientId: `app-${i}`,
  clientName: `App ${i}`,
  audience: 'member',
  redirectUris: [`https://app-${i}.example/callback`],
  scopes: ['openid', 'account:read'],
}));

const listCourses = {
  name: 'list_courses',
  title: 'List courses',
  description: 'Lists courses.',
  access: { scopes: ['courses:read'] },
  run: () => 'Knots for beginners',
} as const;

/** The journeys in each of these ways, at a school of its own. */
export function journeyTests(ways: readonly Way[]): void {
  describe.each(ways)('by $by at $width pixels, script: $javaScript', (way) => {
    let schools: Schools;
    let browser: Browser;
    const log: AuditEvent[] = [];
    /** The addresses that the host sends people when their school has decided. */
    const mails: string[] = [];

    beforeAll(async () => {
      const roles = [{ role: 'owner' }, { role: 'teacher' }, { role: 'student' }];
      [schools, browser] = await Promise.all([
        startSchools({
          mcp: { tools: [listCourses] },
          platform: { operatorRoles: ['owner', 'teacher'], adminRoles: ['owner'], roles: () => roles },
          campus: {
            clients: [...testClients, ...many],
            grants: [clientCredentials()],
            registration: [vendorPlatforms(wellKnownVendors), loopbackClients()],
            log: { list: () => ({ events: log }) },
            hooks: {
              reviewed: ({ site, member, request }) => {
                if (request) mails.push(`${member?.email} ${site.origin}${yourAppsPath}/requests`);
              },
            },
          },
        }),
        startChromium(),
      ]);
      schools.campus.events.on('audit', (event) => log.unshift(event));
      const { olivia } = schools.people['harbour'] ?? {};
      if (!olivia) throw new Error('the school has no owner');
      const tess = { ...olivia, id: 'tess', name: 'Tess Teacher', email: 'tess@example.com', roles: ['teacher'] };
      schools.people['harbour'] = { ...schools.people['harbour'], tess };
    });
    afterAll(async () => {
      await browser.close();
      await schools.close();
    });

    const site = () => siteOf(schools);
    const person = (id?: string): Promise<Visitor> => Visitor.at(browser, schools.harbour, id, way);
    const status = async (token: unknown): Promise<number> => (await userinfo(schools.harbour, token)).status;

    /** Presses the button that connects, and takes what the app gets. An app on this computer says that it is done. */
    async function connects(visitor: Visitor, client: TestClient, { verifier }: Pkce, name: RegExp) {
      const sent = visitor.page.waitForRequest((request) => request.url().startsWith(client.redirectUri));
      await visitor.send('button', name);
      const code = new URL((await sent).url()).searchParams.get('code') ?? '';
      const { body: tokens } = await exchange({ origin: schools.harbour, client, code, verifier });
      return { token: String(tokens['access_token']), refreshToken: tokens['refresh_token'] };
    }

    const claude = (): Promise<TestClient> => registerClaude(schools.harbour);

    const itWorks = /^It works\. It used .*List courses/;

    test('an owner connects Claude from the set-up page to its first call of a tool: at most 6 presses and one sign-in', async () => {
      const owner = await person();
      await owner.open('/mcp/operator');
      expect(await owner.page.getByRole('textbox', { name: 'Address for staff' }).inputValue()).toBe(
        `${schools.harbour}/mcp/operator`,
      );
      const [pair, client] = [pkce(), await claude()];
      // Claude opens this, and the one sign-in is there.
      await owner.signIn('olivia');
      const there = await owner.tab();
      await there.open(authorizeUrl(schools.harbour, client, pair));
      const { token } = await connects(there, client, pair, /^Connect/);
      await callTool(schools.harbour, 'list_courses', {}, { token });
      await owner.press('link', 'Check the connection', itWorks);
      await owner.press('link', 'See what it can do', 'Your apps');
      expect(there.presses + owner.presses).toBeLessThanOrEqual(6);
      await owner.close();
    });

    test('a teacher who is refused asks the school; one press of an owner, and the teacher connects: 4 presses more', async () => {
      await schools.campus.apps.set(site(), 'claude', { access: 'allowed', ask: true });
      const client = await claude();
      const teacher = await person('tess');
      await teacher.open(authorizeUrl(schools.harbour, client, pkce()));
      await teacher.press('button', 'Ask the school', 'Request sent.');

      const owner = await person('olivia');
      await owner.open(`${applicationsPath}/asked`);
      await owner.press('button', /^Approve /, 'Requests');
      expect(await owner.status()).toContain('Claude');
      expect(owner.presses).toBe(1);

      const [to, address = ''] = mails.at(-1)?.split(' ') ?? [];
      expect(to).toBe('tess@example.com');
      await teacher.open(address);
      await teacher.press('link', 'Connect Claude', 'Connect your assistant');
      const pair = pkce();
      const there = await teacher.tab();
      await there.open(authorizeUrl(schools.harbour, client, pair));
      const { token } = await connects(there, client, pair, /^Connect/);
      await callTool(schools.harbour, 'list_courses', {}, { token });
      await teacher.press('link', 'Check the connection', itWorks);
      expect(teacher.presses + there.presses).toBe(4);
      await Promise.all([teacher.close(), owner.close()]);
      await schools.campus.apps.reset(site(), 'claude');
    });

    test('an owner allows an app before anybody asks: 3 presses, and one more after a name that no app has', async () => {
      const owner = await person('olivia');
      await owner.open(schoolPath);
      await owner.press('link', 'Allow an app', 'Allow an app');
      await owner.type('textbox', 'App', 'Cursr');
      await owner.press('button', 'Show the app', 'Allow an app');
      expect(await owner.page.getByRole('alert').textContent()).toContain('No known app has this name');
      await owner.type('textbox', 'App', 'Cursor');
      await owner.press('button', 'Show the app', 'Cursor');
      expect(await owner.page.getByRole('radio', { name: 'Allow', exact: true }).isChecked()).toBe(true);
      await owner.press('button', 'Save', 'Cursor');
      expect(await owner.status()).toBe('The decision is saved.');
      expect(owner.presses).toBe(4);
      expect((await schools.campus.apps.find(site(), 'cursor')).own).toMatchObject({ access: 'allowed' });
      await owner.close();
      await schools.campus.apps.reset(site(), 'cursor');
    });

    test('an owner finds what was decided on a request, by whom, and the app of it: 3 presses', async () => {
      const asked = {
        app: 'libre-chat',
        clientName: 'LibreChat',
        redirectUris: ['https://chat.example/callback'],
      } as const;
      const { id } = await schools.campus.requests.ask(site(), 'sam', asked);
      await schools.campus.requests.decline(site(), id, 'Please use Claude.', { by: 'tess' });
      const owner = await person('olivia');
      await owner.open(schoolPath);
      await owner.press('link', 'Requests', 'Requests');
      await owner.press('link', /^Decided [0-9]+$/, 'Requests');
      const row = /^LibreChat, for Sam Student Tess Teacher decided today · Please use Claude\. Declined$/;
      await owner.press('link', row, 'LibreChat');
      expect(owner.presses).toBe(3);
      await owner.close();
      await schools.campus.requests.withdraw(site(), 'sam', id);
    });

    test('an owner blocks one of 60 apps for students in 4 presses, and takes that back in 2', async () => {
      for (const { clientId } of many) await schools.campus.apps.set(site(), { clientId }, { access: 'allowed' });
      const client = { id: 'app-41', redirectUri: 'https://app-41.example/callback', scope: 'openid account:read' };
      const { body } = await connect(schools.browser('sam'), schools.harbour, client);
      const owner = await person('olivia');
      await owner.open(schoolPath);
      await owner.type('searchbox', /./, 'app-41');
      await owner.enter('Apps');
      await owner.press('link', /^App 41\b/, 'App 41');
      await owner.tick(/^student/);
      await owner.press('button', 'Save', /\?$/);
      expect(await status(body['access_token'])).toBe(200);
      await owner.press('button', 'Turn off for student', 'App 41');
      expect(owner.presses).toBe(4);
      const rule = async (): Promise<unknown> =>
        (await schools.campus.apps.find(site(), { clientId: 'app-41' })).rule.roles;
      expect([await rule(), await status(body['access_token'])]).toEqual([['owner', 'teacher'], 401]);
      owner.presses = 0;
      await owner.tick(/^student/);
      await owner.press('button', 'Save', 'App 41');
      expect([owner.presses, await rule()]).toEqual([2, undefined]);
      await owner.close();
    });

    test('a student leaves a permission out, comes back to a page that says what is done, gives it later, and disconnects after a question', async () => {
      const pair = pkce();
      const app = await listen(() => (_request, response) => {
        response.setHeader('content-type', 'text/html');
        response.end('<!doctype html><title>Pocket School</title><h1>Back in the app</h1>');
      });
      const client = { ...memberApp, redirectUri: `http://127.0.0.1:${app.port}/callback` };
      const student = await person('sam');
      await student.open(authorizeUrl(schools.harbour, client, pair));
      const asked = student.page.url();
      // Somebody else has signed in meanwhile, in another tab.
      await student.signIn('olivia');
      await student.page.reload();
      await student.page.getByRole('link', { name: 'Sign in as Sam Student' }).waitFor();
      await student.signIn('sam');
      await student.open(asked);

      // Nobody can check an app on this computer, so what changes data is not ticked.
      const { token, refreshToken } = await connects(student, client, pair, /^Connect/);
      await student.shows('Back in the app');
      await student.page.goBack();
      await student.shows(/^Pocket School +is connected\./);
      await student.press('link', 'See what it can do', 'Pocket School');
      await student.tick(/^Mark your notifications as read/);
      await student.press('button', 'Save', 'Pocket School');
      expect(await student.status()).toContain('One permission was added.');
      const next = await refresh(schools.harbour, memberApp, refreshToken);
      expect(next.body['scope']).toContain('account:write');

      await student.press('link', 'Disconnect', /^Disconnect Pocket School ?\?$/);
      expect(await status(token)).toBe(200);
      await student.press('button', 'Disconnect', /^Pocket School +is disconnected\.$/);
      expect(await Promise.all([token, next.body['access_token']].map(status))).toEqual([401, 401]);
      await student.press('link', 'Your apps', 'Your apps');
      expect(await student.text()).not.toContain('Pocket School');
      expect(student.presses).toBe(7);
      await student.close();
      await app.close();
    });

    test('an owner makes a service, copies its secret, replaces it with both valid for a day, and removes it: 10 presses', async () => {
      const owner = await person('olivia');
      const texts: string[] = [];
      const press = async (role: 'link' | 'button', name: string, heading: string | RegExp): Promise<void> => {
        await owner.press(role, name, heading);
        texts.push(await owner.text());
      };
      /** What is on the page that shows a secret once. */
      const credentials = async (): Promise<TestClient> => {
        await owner.reach('textbox', 'Client secret');
        const value = (name: string) => owner.page.getByRole('textbox', { name }).inputValue();
        return { id: await value('Client ID'), secret: await value('Client secret'), redirectUri: '', scope: '' };
      };
      const statuses = async (...clients: readonly TestClient[]) =>
        (await Promise.all(clients.map((client) => serviceToken(schools.harbour, client)))).map(
          (token) => token.status,
        );

      await owner.open(applicationsPath);
      await owner.unfold('New');
      await owner.press('link', /^Service/, 'New service');
      await owner.type('textbox', 'Name', 'Library');
      await owner.tick('View courses');
      await press('button', 'Create', /^Library +is ready$/);
      const first = await credentials();
      await press('link', 'Done', 'Library');
      await press('link', 'Create a new secret', /^Create a new secret for Library ?\?$/);
      await press('button', 'Create a new secret', /^Library +has a new secret$/);
      const second = await credentials();
      await press('link', 'Done', 'Library');
      expect(texts.at(-1)).toContain('The old secret works until');
      expect(await statuses(first, second)).toEqual([200, 200]);
      await press('link', 'Remove', /^Remove the service Library ?\?$/);
      await press('button', 'Remove', 'Developers');
      expect(await owner.status()).toBe('The service was removed. Its access has ended.');
      expect(await statuses(first, second)).toEqual([401, 401]);
      expect(owner.presses).toBe(10);
      // The last page is the list of everything.
      for (const text of texts.slice(0, -1)) expect(text).not.toMatch(/connect(?:ed|s)\b|People who/i);
      await owner.close();
    });
  });
}
