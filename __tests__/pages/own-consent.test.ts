import { afterEach, describe, expect, test } from '@jest/globals';
import { type ConsentTemplate, type ConsentView, Html, html as markup, type PageTemplate } from '../../lib/index.ts';
import { loopbackClients } from '../../policies/loopback-clients.ts';
import { csrfOf, type Stop } from '../helpers/browser.ts';
import { testClients } from '../helpers/clients.ts';
import { authorizeUrl, connect, memberApp, pkce, type TestClient, webMemberApp } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { hostileClient } from './browser/gallery.ts';

let schools: Schools;
afterEach(() => schools.close());

const views: ConsentView[] = [];

/** As plain as a page can be: everything that the view has, in its order. */
const own: ConsentTemplate = (view) => {
  views.push(view);
  const { heading, summary, facts, permissions, form, decisions } = view;
  const boxes = permissions.filter(({ required }) => !required);
  return markup`<main class="ours"><h1>${heading}</h1><p>${summary}</p><dl>${facts.map(({ name, value }) => markup`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
<form method="post" action="${form.action}">${form.fields}
${boxes.map(({ scope, text, ticked }) => markup`<label><input type="checkbox" name="scope" value="${scope}"${ticked && markup` checked`}>${text}</label>`)}
${decisions.map(({ value, text }) => markup`<button name="decision" value="${value}">${text}</button>`)}</form></main>`;
};

async function open(consent: unknown, client: TestClient = webMemberApp, more = {}): Promise<Stop> {
  views.length = 0;
  const pages: object = { consentPage: consent };
  schools = await startSchools({
    campus: { clients: [...testClients, hostileClient], registration: [loopbackClients()], pages, ...more },
  });
  return schools.browser('sam').follow(authorizeUrl(schools.harbour, client, pkce()));
}

const all = { ...webMemberApp, scope: 'openid profile account:read account:write' };

describe('pages.consentPage', () => {
  test('draws the page in our document, in the language of the visitor, and its form is ours', async () => {
    const page = await open(own, all);
    expect(page.html).toContain('<main class="ours"><h1>');
    const shown = readPage(page.html);
    expect(shown.title).toMatch(/ to your account at /);
    shown.getByRole('navigation', { name: 'Language' });
    expect(shown.getAllByRole('main')).toHaveLength(1);
    expect(page.response.headers.get('content-security-policy')).not.toContain('script-src');
    const [view] = views;
    expect(view).toMatchObject({
      language: 'en',
      member: { id: 'sam' },
      client: { clientId: webMemberApp.id, source: 'static', reviewed: true },
      decisions: [
        { value: 'allow', text: markup`Connect` },
        { value: 'deny', text: markup`Cancel` },
      ],
      form: { action: page.url.pathname },
    });
    const row = { approval: false, earlier: undefined };
    expect(view?.permissions.map(({ text: _text, area: _area, ...each }) => each)).toEqual([
      { scope: 'openid', access: 'identity', required: true, ticked: true, marks: [], ...row },
      { scope: 'profile', access: 'identity', required: true, ticked: true, marks: [], ...row },
      { scope: 'account:read', access: 'read', required: false, ticked: true, marks: [], ...row },
      { scope: 'account:write', access: 'write', required: false, ticked: true, marks: [], ...row },
    ]);
    expect(view?.sees).toContainEqual(markup`Your name`);
    const chinese = await schools
      .browser('sam')
      .follow(authorizeUrl(schools.harbour, all, pkce(), { ui_locales: 'zh-Hant' }));
    expect(readPage(chinese.html).attribute('lang')).toBe('zh-Hant');
    expect(views[1]?.decisions[0]).toEqual({ value: 'allow', text: markup`連結` });
  });

  test('what its form sends is checked as that of the built-in page is', async () => {
    const page = await open(own, all);
    const sam = schools.browser('sam');
    const post = (body: Record<string, string>, at = page) =>
      sam.follow(at.url, { method: 'POST', body: new URLSearchParams(body) });
    const mine = await sam.follow(authorizeUrl(schools.harbour, all, pkce()));
    const [csrf, shown] = [csrfOf(mine.html), readPage(mine.html).field('shown')];
    const sent = { csrf, shown, choice: 'shown', decision: 'allow', scope: 'account:read' };
    expect((await post({ ...sent, csrf: csrfOf(page.html) }, mine)).response.status).toBe(400);
    const stale = await post({ ...sent, shown: `${shown} account:delete` }, mine);
    expect(stale.response.status).toBe(400);
    const done = await post(sent, mine);
    expect(done.url.searchParams.get('code')).toMatch(/./);
    const [connection] = await schools.campus.connections.list(views[0]?.site ?? Object(), 'sam');
    expect(connection?.scopes).toEqual(['openid', 'profile', 'account:read']);
    expect(connection?.refused).toEqual(['account:write']);
  });

  test('a problem, what was refused and what was allowed before are in the view', async () => {
    await open(own, { ...webMemberApp, scope: 'account:read account:write' });
    const sam = schools.browser('sam');
    const request = { nonce: undefined, scope: 'account:read account:write' };
    const page = await sam.follow(authorizeUrl(schools.harbour, webMemberApp, pkce(), request));
    const shown = readPage(page.html).field('shown');
    const body = { csrf: csrfOf(page.html), shown, choice: 'shown', decision: 'allow' };
    const again = await sam.follow(page.url, { method: 'POST', body: new URLSearchParams(body) });
    expect([again.response.status, views.at(-1)?.problem?.text]).toEqual([
      400,
      expect.stringContaining('Tick at least one permission'),
    ]);
    await sam.follow(page.url, { method: 'POST', body: new URLSearchParams({ ...body, scope: 'account:read' }) });
    await sam.follow(authorizeUrl(schools.harbour, webMemberApp, pkce(), { ...request, prompt: 'consent' }));
    expect(views.at(-1)?.permissions.map(({ earlier, ticked }) => [earlier, ticked])).toEqual([
      ['allowed', true],
      ['declined', false],
    ]);
  });

  test('names of others are escaped, isolated and short', async () => {
    const page = await open(own, {
      ...memberApp,
      id: 'hostile',
      redirectUri: 'com.example.hostile:/callback',
      scope: 'openid account:read',
    });
    const [view] = views;
    expect(page.html).not.toContain('<script');
    expect(view?.heading.text).toContain('<bdi>&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(view?.client.clientName.length).toBeLessThan(120);
    expect(JSON.stringify(view)).not.toMatch(/[\u202E\u2066]/);
    expect(view?.warnings[1]?.text).toContain(' can call itself <bdi>&lt;script&gt;');
  });

  test('a denied request has rules, one way back, and nothing to tick', async () => {
    const access = [() => ({ access: 'blocked', text: { en: 'Ask <your> teacher.', de: 'Frag nach.' } }) as const];
    const page = await open(own, all, { access });
    expect(page.response.status).toBe(403);
    expect(views[0]).toMatchObject({
      summary: undefined,
      permissions: [],
      sees: [],
      rules: [{ text: expect.stringMatching(/^The platform that /) }, markup`Ask ${'<your>'} teacher.`],
      decisions: [{ value: 'deny', text: { text: expect.stringMatching(/^Back to /) } }],
    });
  });

  const rule = 'it must be made with `html`, with `form.fields` in it as it is';

  test.each<[string, (view: ConsentView) => unknown, string]>([
    [
      'leaves the fields out',
      ({ heading }) => markup`<main><h1>${heading}</h1></main>`,
      `returned an instance of Html; ${rule}`,
    ],
    [
      'changes the fields',
      ({ form }) => new Html(form.fields.text.replaceAll('"', "'")),
      `returned an instance of Html; ${rule}`,
    ],
    ['is a string', ({ form }) => `<form>${form.fields.text}</form>`, `returned a string; ${rule}`],
    ['returns nothing', () => undefined, `returned undefined; ${rule}`],
    ['returns an object', async ({ form }) => ({ ...form }), `returned an object; ${rule}`],
  ])('that %s is a fault, and the built-in page is shown', async (_what, consent, cause) => {
    const { html, response } = await open(consent, all);
    expect([response.status, readPage(html).getAllByRole('heading', { name: /^Connect / }).length]).toEqual([200, 1]);
    const faults = schools.faults.map((fault) => `${fault.message}: ${String(fault.cause)}`);
    expect(faults).toEqual([`pages.consentPage failed: TypeError: pages.consentPage() ${cause}`]);
  });

  test('that throws is a fault, and the built-in page works', async () => {
    await open(() => {
      throw new Error('no design');
    }, all);
    await connect(schools.browser('sam'), schools.harbour, all);
    expect(schools.faults.map(({ cause }) => String(cause))).toEqual(['Error: no design', 'Error: no design']);
  });

  test('that is no function is refused at the start', async () => {
    schools = await startSchools();
    const pages: object = { consentPage: '<main>' };
    await expect(startSchools({ campus: { pages } })).rejects.toThrow('pages.consentPage must be a function');
  });
});

test('pages.template is told which page it draws', async () => {
  const template: PageTemplate = ({ page, content }) => markup`<!doctype html><body data-page="${page}">${content}`;
  schools = await startSchools({ campus: { pages: { template } }, mcp: {} });
  const pageAt = async (path: string | URL, person = 'olivia'): Promise<string | undefined> => {
    const { html } = await schools.browser(person).follow(typeof path === 'string' ? schools.harbour + path : path);
    return /data-page="(\w+)"/.exec(html)?.[1];
  };
  const pages = {
    '/developers/oauth-applications': 'applications',
    '/developers/oauth-applications/asked': 'applications',
    '/developers/oauth-applications/gone': 'error',
    '/developers/apps': 'connections',
    '/developers/apps/activity': 'activity',
    '/account/apps': 'yourApps',
    '/account/apps?confirm=all': 'yourApps',
    '/account/apps/requests': 'requests',
    '/account/apps/check': 'check',
    '/mcp': 'assistants',
    '/auth.md': 'guide',
    '/oauth/authorize': 'error',
  };
  const found = Object.keys(pages).map(async (path) => [path, await pageAt(path)] as const);
  expect(Object.fromEntries(await Promise.all(found))).toEqual(pages);
  expect(await pageAt(authorizeUrl(schools.harbour, webMemberApp, pkce()))).toBe('consent');
});
