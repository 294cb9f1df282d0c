import { describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import type { Explanation, Question, Site } from '../../../lib/index.ts';
import { metadataDocuments } from '../../../policies/index.ts';
import { type Browser, csrfOf, type Stop, decisionsOn } from '../../helpers/browser.ts';
import { setClockAhead } from '../../helpers/clock.ts';
import { authorizeUrl, exchange, introspect, type JsonResponse, pkce, refresh, userinfo } from '../../helpers/flow.ts';
import { type Part, readPage } from '../../helpers/page.ts';
import { harbourSite } from '../../helpers/sites.ts';
import { client, clientId, documentSchools, ordinary } from './document-schools.ts';
import { reviewsOf, type Shown } from '../../helpers/reviews.ts';

const { schools, events, start, publish, server } = documentSchools();

const site = (): Site => harbourSite(schools().harbour, { connectionsEnabled: false });
const documents = () => reviewsOf(schools().campus);
const document = (): Promise<Shown | undefined> => documents().find(site(), clientId);
const scope = 'openid courses:read courses:write students:write';

/** An authorization request of a person, at the page where it has stopped. */
interface Asked {
  readonly browser: Browser;
  readonly page: Stop;
  readonly verifier: string;
}

async function ask(person = 'olivia', changes: Readonly<Record<string, string | undefined>> = {}): Promise<Asked> {
  const browser = schools().browser(person);
  const pair = pkce();
  const page = await browser.follow(authorizeUrl(schools().harbour, client, pair, { scope, ...changes }));
  return { browser, page, verifier: pair.verifier };
}

/** The checkboxes of a page or of a part of it. */
const scopesIn = (part: Part | undefined): string[] => part?.getAllByRole('checkbox').map(({ value }) => value) ?? [];

/** The part of the page with what needs an approval. */
const beyondOn = ({ html }: Stop): Part | undefined =>
  readPage(html).queryByRole('group', { name: 'Needs school approval' });

/** Everything that a browser would post, with all or only these scopes ticked. */
function formOf({ html }: Stop, decision: string, ticked?: readonly string[]): URLSearchParams {
  const page = readPage(html);
  const form = page.fields;
  form.set('decision', decision);
  form.delete('scope');
  for (const each of ticked ?? scopesIn(page)) form.append('scope', each);
  return form;
}

const press = ({ browser, page }: Asked, decision: string, ticked?: readonly string[]): Promise<Stop> =>
  browser.follow(page.url, { method: 'POST', body: formOf(page, decision, ticked) });

/** The tokens for the code at an address. */
async function tokensOf({ verifier }: Asked, { url, html }: Stop): Promise<JsonResponse> {
  const code = url.searchParams.get('code');
  if (code === null) throw new Error(`no code at ${url.href}: ${html}`);
  return exchange({ origin: schools().harbour, client, code, verifier });
}

/** The scopes that a person gets. */
async function granted(person: string, decision: string, ticked?: readonly string[]): Promise<string[]> {
  const asked = await ask(person);
  const { body } = await tokensOf(asked, await press(asked, decision, ticked));
  return String(body['scope']).split(' ');
}

/** Publishes the document with a logo. */
function publishLogo(query = ''): void {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000400000004000000000', 'hex');
  const published = JSON.stringify({ ...ordinary, logo_uri: `https://docs.example/logo.png${query}` });
  server().respond((request, response) => {
    if (request.url === '/client.json') response.setHeader('Content-Type', 'application/json').end(published);
    else response.setHeader('Content-Type', 'image/png').end(png);
  });
}

const decisions = () => events.filter(({ action }) => action === 'app.decided');

describe('an operator whose app waits for approval', () => {
  test('sees what it asks for and cannot get yet, approves it and allows it, with one consent', async () => {
    publish();
    await start();
    const asked = await ask();
    expect(scopesIn(beyondOn(asked.page))).toContain('courses:write');
    expect(
      beyondOn(asked.page)
        ?.getAllByRole('checkbox')
        .filter((box) => box.checked),
    ).toEqual([]);
    expect(decisionsOn(asked.page.html)).toContain('approve');
    expect(readPage(asked.page.html).getByRole('button', { name: 'Connect, view only' }).value).toBe('allow');
    expect(await documents().list(site(), { waiting: true })).toMatchObject([{ clientId }]);
    const { body } = await tokensOf(asked, await press(asked, 'approve'));
    expect(body['scope']).toBe(scope);
    const refreshed = await refresh(schools().harbour, client, body['refresh_token']);
    const { scopes } = await schools().campus.verify(site(), String(refreshed.body['access_token']));
    expect(scopes.join(' ')).toBe(scope);
    expect(await document()).toMatchObject({ status: 'approved', decidedBy: 'olivia' });
    expect(decisions()).toMatchObject([
      { reason: 'approved', rule: { access: 'allowed' }, actor: { kind: 'administrator', id: 'olivia' }, clientId },
    ]);
    expect(await documents().list(site(), { waiting: true })).toEqual([]);
  });

  test('who only views, or denies, approves nothing, and is asked again next time', async () => {
    publish();
    await start();
    expect(await granted('olivia', 'allow')).toEqual(['openid', 'courses:read']);
    const denied = await press(await ask(), 'deny');
    expect(denied.url.searchParams.get('error')).toBe('access_denied');
    expect(decisionsOn((await ask()).page.html)).toContain('approve');
    expect([decisions(), (await document())?.status]).toEqual([[], 'unreviewed']);
  });

  test('approves nothing without a permission that needs it: the page says so, as it was posted', async () => {
    publish();
    await start();
    const asked = await ask();
    // Nobody has verified the app: what it could change is for the operator to tick.
    const boxes = readPage(asked.page.html).getAllByRole('checkbox');
    expect(boxes.find(({ value }) => value === 'courses:write')?.checked).toBe(false);
    const again = await press(asked, 'approve', ['courses:read']);
    expect([
      again.response.status,
      again.html.includes('tick at least one permission that needs school approval'),
    ]).toEqual([400, true]);
    expect([decisions(), (await document())?.status]).toEqual([[], 'unreviewed']);
    expect((await tokensOf(asked, await press({ ...asked, page: again }, 'approve'))).body['scope']).toBe(scope);
  });

  test('approves what was shown and left ticked; a later approval adds to it, the page of the reviews has all', async () => {
    publish();
    await start();
    const first = await granted('olivia', 'approve', ['courses:read', 'courses:write']);
    expect(first).toEqual(['openid', 'courses:read', 'courses:write']);
    expect(await document()).toMatchObject({ approvedScopes: ['openid', 'courses:read', 'courses:write'] });
    const { page } = await ask('oscar');
    expect(readPage(page.html).getByRole('button', { name: 'Connect' }).value).toBe('allow');
    expect(scopesIn(beyondOn(page))).toContain('students:write');
    expect(await granted('oscar', 'allow')).toEqual(first);
    expect(await granted('oscar', 'approve')).toEqual(scope.split(' '));
    const reviews = `${schools().harbour}/developers/apps?client=${encodeURIComponent(clientId)}`;
    const { html } = await schools().browser('olivia').follow(reviews);
    expect(readPage(html).text).toMatch(/for these permissions only: .*Create, change and delete courses/);
    expect(readPage(html).getByRole('radio', { name: 'Allow' }).description).toContain(
      'for every permission that it asks for, unless you limit them below',
    );
    const seen = await document();
    await documents().approve(site(), clientId, seen?.version);
    expect(await document()).not.toHaveProperty('approvedScopes');
    expect(decisionsOn((await ask('olivia', { scope: undefined })).page.html)).not.toContain('approve');
  });

  test('gets the same page for the whole list at the origin', async () => {
    publish();
    await start();
    const { page } = await ask('olivia', {
      scope: schools()
        .campus.scopes.map((row) => row.scope)
        .join(' '),
    });
    expect(scopesIn(beyondOn(page))).toContain('storage:write');
    expect(decisionsOn(page.html)).toContain('approve');
    expect(page.html).not.toContain('account:read');
  });

  test('approves the logo that the page shows', async () => {
    publishLogo();
    await start();
    const asked = await ask();
    expect(asked.page.html).toContain('The approval includes this logo of the app.');
    await press(asked, 'approve');
    expect((await document())?.logo).toMatchObject({ approved: true });
  });
});

describe('nobody else approves:', () => {
  test('a member gets no page, and a person who is no longer an operator nothing but access_denied', async () => {
    publish();
    await start();
    expect((await ask('sam')).page.url.searchParams.get('error')).toBe('access_denied');
    const asked = await ask('oscar');
    const people = schools().people['harbour'] ?? {};
    const { oscar } = people;
    if (oscar) people['oscar'] = { ...oscar, roles: ['student'] };
    const { url } = await press(asked, 'approve');
    expect(url.searchParams.get('error')).toBe('access_denied');
    expect((await document())?.status).toBe('unreviewed');
  });

  test('a form of another page, person, school or origin, or without a token', async () => {
    publish();
    await start();
    const [one, other, oscar] = [await ask(), await ask(), await ask('oscar')];
    const forms: [URLSearchParams, Record<string, string>][] = [
      [formOf(other.page, 'approve'), {}],
      [formOf(oscar.page, 'approve'), {}],
      [new URLSearchParams({ decision: 'approve' }), {}],
      [formOf(one.page, 'approve'), { origin: 'https://evil.example' }],
      [formOf(one.page, 'approve'), { origin: schools().summit }],
      [formOf({ ...one.page, html: one.page.html.replaceAll('students:write', 'students:read') }, 'approve'), {}],
    ];
    for (const [body, headers] of forms) {
      const { status } = await one.browser.fetch(one.page.url, { method: 'POST', body, headers });
      expect([status, (await document())?.status]).toEqual([400, 'unreviewed']);
    }
    expect(csrfOf(one.page.html)).not.toBe(csrfOf(other.page.html));
    expect((await press(one, 'approve')).url.searchParams.has('code')).toBe(true);
  });

  test('nothing is approved that the page has not shown, nor at another school', async () => {
    publish();
    await start();
    const asked = await ask();
    await press(asked, 'approve', ['courses:write', 'orders:read', 'school:write', 'account:read']);
    expect(await document()).toMatchObject({ approvedScopes: ['openid', 'courses:write'] });
    const summit = { ...site(), id: 'summit', origin: schools().summit };
    expect(await documents().find(summit, clientId)).toBeUndefined();
  });
});

describe('a page that is out of date is refused with what has changed, and shown anew:', () => {
  test('another version', async () => {
    publish();
    await start();
    const asked = await ask();
    setClockAhead(31);
    publish({ client_name: 'Other Client' });
    await ask('oscar');
    const page = await press(asked, 'approve');
    expect([page.response.status, page.html.includes('The app changed while you were looking at it')]).toEqual([
      409,
      true,
    ]);
    expect([page.html.includes('Other Client'), (await document())?.status]).toEqual([true, 'unreviewed']);
    const again = await press({ ...asked, page: { ...page, url: asked.page.url } }, 'approve');
    expect((await tokensOf(asked, again)).body['scope']).toBe(scope);
  });

  test('another logo', async () => {
    publishLogo();
    await start();
    const asked = await ask();
    setClockAhead(600);
    publishLogo('?of=another');
    await ask('oscar');
    const page = await press(asked, 'approve');
    expect([page.response.status, page.html.includes('The app’s logo isn’t the one')]).toEqual([409, true]);
    expect((await document())?.status).toBe('unreviewed');
  });

  test('another operator’s decision: of two at once one approves, and the other sees it', async () => {
    publish();
    await start();
    const both = [await ask('olivia'), await ask('oscar')];
    const pages = await Promise.all(
      both.map((asked, i) => press(asked, 'approve', [i === 0 ? 'courses:write' : 'students:write'])),
    );
    const codes = pages.filter(({ url }) => url.searchParams.has('code'));
    const late = pages.find(({ response }) => response.status === 409);
    expect([codes.length, late?.html.includes('changed this after you opened the page')]).toEqual([1, true]);
    expect(decisions()).toHaveLength(1);
  });

  const blocked = { status: 'blocked', own: { access: 'blocked' }, review: { status: 'unreviewed' } } as const;
  test.each([
    [{ access: 'allowed', scopes: ['openid', 'students:write'] }, { review: { status: 'approved' } }],
    [{ access: 'blocked' }, blocked],
  ] as const)('another operator’s decision while the form is read: %j', async (rule, left) => {
    const store = memoryStore();
    let meanwhile: (() => Promise<unknown>) | undefined;
    const find: typeof store.find = async (siteId, kind, id, options) => {
      // What was decided has been read by then, and what is shown of the document has not.
      if (kind !== 'DocumentReview' || !meanwhile) return store.find(siteId, kind, id, options);
      const decide = meanwhile;
      meanwhile = undefined;
      await decide();
      return store.find(siteId, kind, id, options);
    };
    publish();
    await start(undefined, { store: { ...store, find } });
    const asked = await ask();
    const { version } = await schools().campus.apps.find(site(), { clientId });
    meanwhile = () => schools().campus.apps.set(site(), { clientId }, rule, { version, by: 'oscar' });
    const page = await press(asked, 'approve', ['courses:write']);
    expect(page.response.status).toBe(409);
    expect(page.html).toContain('changed this after you opened the page');
    expect(await schools().campus.apps.find(site(), { clientId })).toMatchObject({ ...left, decided: { by: 'oscar' } });
  });

  test('a block at the moment when the grant is written', async () => {
    const store = memoryStore();
    let meanwhile = async (): Promise<unknown> => undefined;
    const save: typeof store.save = async (siteId, entry) => {
      if (entry.kind === 'Grant') await meanwhile();
      return store.save(siteId, entry);
    };
    publish();
    await start(undefined, { store: { ...store, save } });
    const asked = await ask();
    meanwhile = () => schools().campus.apps.set(site(), { clientId }, { access: 'blocked' });
    expect((await press(asked, 'approve')).url.searchParams.has('code')).toBe(false);
    await documents().approve(site(), clientId);
    expect(await schools().campus.connections.list(site(), 'olivia')).toEqual([]);
  });

  test('a policy', async () => {
    let strict = false;
    publish();
    await start(undefined, {
      access: [({ scopes }) => (strict ? { scopes: scopes.slice(0, 3) } : undefined)],
    });
    const asked = await ask();
    strict = true;
    const page = await press(asked, 'approve');
    expect([page.response.status, page.html.includes('What the app can get here changed')]).toEqual([409, true]);
    expect(scopesIn(readPage(page.html))).not.toContain('students:write');
  });

  test('a block', async () => {
    publish();
    await start();
    const asked = await ask();
    await schools().campus.apps.set(site(), { clientId }, { access: 'blocked' });
    const page = await press(asked, 'approve');
    expect([page.response.status, page.html.includes('You can change this')]).toEqual([403, true]);
    expect(await schools().campus.apps.find(site(), { clientId })).toMatchObject(blocked);
    // Nor does it where the page is opened after that.
    expect(decisionsOn((await ask()).page.html)).not.toContain('approve');
  });
});

describe('what is taken away ends at once, without a fetch:', () => {
  /** The scopes of live tokens: at verification, at introspection, and after a refresh. */
  async function left({ body }: JsonResponse): Promise<unknown[]> {
    const before = server().requests.length;
    const access = String(body['access_token']);
    const { scopes } = await schools().campus.verify(site(), access);
    const tokens = [access, body['refresh_token']];
    const seen = await Promise.all(tokens.map((token) => introspect(schools().harbour, client, token)));
    const refreshed = await refresh(schools().harbour, client, body['refresh_token']);
    expect(server().requests.length).toBe(before);
    const texts = [...seen, refreshed].map(({ body: { scope: text } }) => text);
    return [...new Set([scopes.join(' '), ...texts])];
  }

  test('a review in code', async () => {
    let reviewed = true;
    publish();
    await start(undefined, {
      metadataDocuments: metadataDocuments({ hosts: ['docs.example'], reviewed: () => reviewed }),
    });
    const asked = await ask();
    const tokens = await tokensOf(asked, await press(asked, 'allow'));
    expect(tokens.body['scope']).toBe(scope);
    // Lists, the page and support have one word for it.
    const { apps } = schools().campus;
    const words = async () => [
      (await apps.find(site(), { clientId: client.id })).status,
      (await schools().campus.explain(site(), { clientId: client.id })).outcome,
    ];
    expect(await words()).toEqual(['allowed', 'allowed']);
    reviewed = false;
    expect(await words()).toEqual(['view_only', 'view_only']);
    expect(await left(tokens)).toEqual(['openid courses:read']);
    reviewed = true;
  });

  test('an approval that does not hold for a changed document', async () => {
    publish();
    await start();
    const asked = await ask();
    const { body } = await tokensOf(asked, await press(asked, 'approve'));
    const verified = async () => (await schools().campus.verify(site(), String(body['access_token']))).scopes.join(' ');
    expect(await verified()).toBe(scope);
    setClockAhead(31);
    publish({ client_name: 'Other Client' });
    await ask('oscar');
    expect(await verified()).toBe('openid courses:read');
  });

  test('a rejected client', async () => {
    publish();
    await start();
    const asked = await ask();
    const { body } = await tokensOf(asked, await press(asked, 'approve'));
    await schools().campus.apps.set(site(), { clientId }, { access: 'blocked' });
    expect((await userinfo(schools().harbour, body['access_token'])).status).toBe(401);
  });
});

test('policies are asked what can be allowed now, and what this person can approve', async () => {
  const seen: Pick<Question, 'approving' | 'app' | 'scopes'>[] = [];
  publish();
  await start(undefined, {
    access: [
      ({ approving, app, scopes }: Question) => {
        seen.push({ approving, app, scopes });
        return { scopes: scopes.filter((each) => each !== 'students:write'), text: 'No students.' };
      },
    ],
  });
  const { page } = await ask();
  const unreviewed = { source: 'document', kind: 'assistant', verified: false, reviewed: false };
  const asks = { approving: undefined, scopes: scope.split(' ') };
  const approves = { approving: true, app: { ...unreviewed, reviewed: true }, scopes: scope.split(' ') };
  expect(seen).toContainEqual({ ...asks, app: unreviewed });
  expect(seen).toContainEqual(approves);
  expect(page.html.match(/No students\./g)).toHaveLength(1);
  expect(scopesIn(readPage(page.html))).not.toContain('students:write');
  expect(await granted('olivia', 'approve')).toEqual(['openid', 'courses:read', 'courses:write']);
  await ask();
  expect(seen.slice(-2)).toContainEqual({ ...asks, app: { ...unreviewed, reviewed: true } });
});

test('a policy can say that an approval by this person does not count', async () => {
  publish();
  await start(undefined, {
    access: [({ approving }: Question) => (approving ? { access: 'blocked' } : undefined)],
  });
  const asked = await ask();
  expect(asked.page.html).not.toContain('value="approve"');
  expect(await granted('olivia', 'allow')).toEqual(['openid', 'courses:read']);
});

test('explain says of a document what its page does: not reviewed, approved, blocked', async () => {
  publish();
  await start();
  await ask();
  const explained = (): Promise<Explanation> =>
    schools().campus.explain(site(), { clientId, memberId: 'olivia', scopes: scope.split(' ') });
  expect(await explained()).toMatchObject({
    outcome: 'view_only',
    scopes: ['openid', 'courses:read'],
    waiting: ['courses:write', 'students:write'],
    reasons: [{ code: 'needs_approval' }],
  });
  await granted('olivia', 'approve');
  expect(await explained()).toEqual({
    outcome: 'allowed',
    scopes: scope.split(' '),
    waiting: [],
    texts: [],
    reasons: [],
    approved: { at: expect.any(Number), by: 'olivia' },
  });
  await schools().campus.apps.set(site(), { clientId }, { access: 'blocked' });
  expect(await explained()).toMatchObject({
    outcome: 'blocked',
    reasons: [{ code: 'client_blocked', from: 'school', since: expect.any(Number) }],
  });
});

test('an approval that does not count is refused in the console as well, and one of less approves less', async () => {
  let left: (scopes: readonly string[]) => readonly string[] = () => [];
  publish();
  await start(undefined, {
    access: [({ approving, scopes }: Question) => (approving ? { scopes: left(scopes) } : undefined)],
  });
  await ask();
  const browser = schools().browser('olivia');
  const approve = async (): Promise<number> => {
    const page = await browser.follow(`${schools().harbour}/developers/apps?client=${encodeURIComponent(clientId)}`);
    const form = readPage(page.html)
      .getAllByRole('form')
      .find(({ fields }) => fields.get('action') === 'rule');
    const body = new URLSearchParams(form?.fields);
    body.set('access', 'allowed');
    const { response } = await browser.follow(page.url, { method: 'POST', body });
    return response.status;
  };
  expect(await approve()).toBe(403);
  expect((await documents().find(site(), clientId))?.status).toBe('unreviewed');
  left = (scopes) => scopes.filter((each) => each !== 'students:write');
  expect(await approve()).toBe(200);
  const { status, approvedScopes } = (await documents().find(site(), clientId)) ?? {};
  expect([status, approvedScopes?.includes('courses:write'), approvedScopes?.includes('students:write')]).toEqual([
    'approved',
    true,
    false,
  ]);
});
