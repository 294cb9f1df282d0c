import { afterEach, describe, expect, test } from '@jest/globals';
import type { AccessPolicy, AccessRule, Question, StaticClient } from '../../lib/index.ts';
import { csrfOf, decisionsOn } from '../helpers/browser.ts';
import { testClients } from '../helpers/clients.ts';
import { authorize, authorizeUrl, connect, memberApp, pkce, reports, webMemberApp } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';

let schools: Schools;
afterEach(() => schools.close());

const request = (client = webMemberApp, changes = {}): URL => authorizeUrl(schools.harbour, client, pkce(), changes);

describe('the consent page', () => {
  test('names the school, the person, the application, its host, the redirect host, and the scopes in plain language', async () => {
    schools = await startSchools();
    const { html } = await schools
      .browser('olivia')
      .follow(request(reports, { scope: 'openid courses:read courses:write' }));
    for (const text of [
      'Harbour School',
      'Olivia Owner',
      'Reports',
      'reports.example',
      'View courses',
      'Create, change and delete courses',
    ]) {
      expect(html).toContain(text);
    }
    // Write scopes come first.
    expect(html.indexOf('Change data')).toBeLessThan(html.indexOf('View courses'));
    expect(html).not.toContain('orders');
  });

  test('warns about a loopback redirect to an app on this computer', async () => {
    schools = await startSchools();
    const { html } = await schools.browser('sam').follow(request(memberApp));
    expect(html).toContain('Any app on this computer can call itself');
  });

  test('has no script, and headers against framing, caching and referrer leaks', async () => {
    schools = await startSchools();
    const { response, html } = await schools.browser('sam').follow(request());
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(response.headers.get('content-security-policy')).not.toMatch(/unsafe|form-action/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('x-frame-options')).toBe('DENY');
    expect(html).not.toContain('<script');
  });

  test('escapes a hostile client name and school name', async () => {
    const hostile = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`;
    const client: StaticClient = { ...testClients[2], clientName: hostile };
    schools = await startSchools({ campus: { clients: [client] } });
    const { html } = await schools.browser('sam').follow(request());
    expect(html).not.toMatch(/<script|<img src=x/);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  test('deny gives access_denied with state and iss', async () => {
    schools = await startSchools();
    const browser = schools.browser('sam');
    const { url } = await browser.decide(await browser.follow(request()), 'deny');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'the-state',
      iss: schools.harbour,
    });
  });
});

describe('the consent form', () => {
  test.each([
    ['without a CSRF token', (_csrf: string) => ({ decision: 'allow' })],
    ['with a wrong CSRF token', (csrf: string) => ({ decision: 'allow', csrf: `${csrf.slice(0, -2)}xx` })],
    ['without a decision', (csrf: string) => ({ csrf })],
    ['with an unknown decision', (csrf: string) => ({ csrf, decision: 'maybe' })],
  ])('%s grants nothing and explains what to do', async (_name, fields) => {
    schools = await startSchools();
    const browser = schools.browser('sam');
    const page = await browser.follow(request());
    const body = new URLSearchParams(fields(csrfOf(page.html)));
    const submitted = await browser.follow(page.url, { method: 'POST', body });
    expect(submitted.response.status).toBe(400);
    expect(submitted.html).toContain('start again');
  });

  test('with the CSRF token of another person grants nothing', async () => {
    schools = await startSchools();
    const [sam, olivia] = [schools.browser('sam'), schools.browser('olivia')];
    const [ofSam, ofOlivia] = [await sam.follow(request()), await olivia.follow(request())];
    const body = new URLSearchParams({ csrf: csrfOf(ofOlivia.html), decision: 'allow' });
    expect((await sam.follow(ofSam.url, { method: 'POST', body })).response.status).toBe(400);
  });

  test('in another browser is a page that explains what to do', async () => {
    schools = await startSchools();
    const page = await schools.browser('sam').follow(request());
    const other = await schools.browser('sam').follow(page.url);
    expect(other.response.status).toBe(400);
    expect(other.html).toContain('started in another browser');
  });

  test('sent twice grants once; the second response, and the way back, say that it is done and where to see it', async () => {
    schools = await startSchools();
    const browser = schools.browser('sam');
    const page = await browser.follow(request());
    expect((await browser.decide(page, 'allow')).url.searchParams.has('code')).toBe(true);
    const [connection] = await schools.campus.connections.list(siteOf(schools), 'sam');
    for (const again of [await browser.decide(page, 'allow'), await browser.follow(page.url)]) {
      expect(again.response.status).toBe(200);
      const done = readPage(again.html);
      done.getByRole('heading', { name: 'Study Buddy is connected.', level: 1 });
      const see = done.getByRole('link', { name: 'See what it can do' });
      expect(see.href).toBe(`/account/apps/${connection?.id}`);
      expect((await browser.follow(schools.harbour + see.href)).html).toContain('Study Buddy');
    }
    // For nobody else, on no other page, and only as long as it is true.
    const ended = async (who = browser, url = page.url): Promise<number> => (await who.follow(url)).response.status;
    const other = schools.browser('olivia');
    other.steal(browser);
    expect(await ended(other)).toBe(400);
    const [cookie] = browser.cookies().filter(({ name }) => name === 'campus_connected');
    expect(cookie?.path).toBe(page.url.pathname);
    for (const forged of [`${connection?.id}~1.2.3`, '~', cookie?.value.replace(/^[^~]*/, 'x') ?? '']) {
      const headers = { accept: 'text/html', cookie: `person=sam; campus_connected=${forged}` };
      expect((await fetch(page.url, { headers })).status).toBe(400);
    }
    await schools.campus.connections.revokeAll(siteOf(schools), 'sam');
    expect(await ended()).toBe(400);
  });

  test('refused, and then opened again, is a page of an ended request', async () => {
    schools = await startSchools();
    const browser = schools.browser('sam');
    const page = await browser.follow(request());
    await browser.decide(page, 'deny');
    const again = await browser.decide(page, 'allow');
    expect(again.response.status).toBe(400);
    expect(again.html).toContain('already been answered');
  });

  test('an unknown interaction is an error page without a stack trace', async () => {
    schools = await startSchools();
    const { response, html } = await schools.browser('sam').follow(`${schools.harbour}/oauth/interaction/nothing`);
    expect(response.status).toBe(400);
    expect(html).not.toMatch(/at .*\.ts|Error:/);
    const resumed = await schools.browser('sam').follow(`${schools.harbour}/oauth/authorize/nothing`);
    expect(resumed.response.status).toBe(400);
    expect(resumed.html).toContain('Harbour School');
  });
});

describe('the policies of access', () => {
  const narrow = ({ scopes }: Question): AccessRule => ({
    scopes: scopes.filter((scope) => scope !== 'account:read'),
    text: 'Students share no account data.',
  });

  test('narrow the granted scopes, and show the person why', async () => {
    schools = await startSchools({ campus: { access: [narrow] } });
    const browser = schools.browser('sam');
    const { html } = await browser.follow(request());
    expect(html).toContain('Students share no account data.');
    expect(html).not.toContain('View your account');
    const { body } = await connect(browser, schools.harbour, webMemberApp);
    expect(body['scope']).toBe('openid profile email');
    const silent = await browser.follow(request());
    expect(silent.url.searchParams.has('code')).toBe(true);
  });

  test('that allow more at the form than on the page grant nothing that was not shown', async () => {
    let strict = true;
    const policy: AccessPolicy = (asked) => (strict ? narrow(asked) : undefined);
    schools = await startSchools({ campus: { access: [policy] } });
    const browser = schools.browser('sam');
    const page = await browser.follow(request());
    strict = false;
    const submitted = await browser.decide(page, 'allow');
    expect([submitted.response.status, submitted.url.searchParams.has('code')]).toEqual([400, false]);
  });

  test('cannot add a scope that was not requested', async () => {
    schools = await startSchools({
      campus: { access: [() => ({ scopes: ['openid', 'account:write'] })] },
    });
    const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    expect(body['scope']).toBe('openid');
  });

  test('block with a text: the person reads it, and cannot allow', async () => {
    schools = await startSchools({
      campus: { access: [() => ({ access: 'blocked', text: 'Ask your school first.' })] },
    });
    const browser = schools.browser('sam');
    const page = await browser.follow(request());
    expect(page.html).toContain('Ask your school first.');
    expect(decisionsOn(page.html)).not.toContain('allow');
    expect((await browser.decide(page, 'allow')).url.searchParams.get('error')).toBe('access_denied');
  });

  test('that changed since consent take away from the next token, and nobody is asked again', async () => {
    let strict = false;
    const policy: AccessPolicy = (asked) => (strict ? narrow(asked) : undefined);
    schools = await startSchools({ campus: { access: [policy] } });
    const browser = schools.browser('sam');
    await authorize(browser, request());
    expect((await browser.follow(request())).url.searchParams.has('code')).toBe(true);
    strict = true;
    const { body } = await connect(browser, schools.harbour, webMemberApp);
    expect(body['scope']).toBe('openid profile email');
  });

  test('that throw are a fault: 503, and nothing is granted', async () => {
    const policy: AccessPolicy = () => {
      throw new Error('policy database away');
    };
    schools = await startSchools({ campus: { access: [policy] } });
    const { response, html } = await schools.browser('sam').follow(request());
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(html).not.toContain('policy database away');
    expect(schools.faults[0]?.message).toBe('access[0] policy failed');
  });
});
