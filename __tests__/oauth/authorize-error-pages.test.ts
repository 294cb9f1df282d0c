import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError } from '../helpers/responses.ts';
import { authorizeUrl, type Changes, jsonResponse, memberApp, pkce } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools();
});
afterAll(() => schools.close());

const request = (changes: Changes): URL => authorizeUrl(schools.harbour, memberApp, pkce(), changes);

/** Errors that do not go back to the client. */
const errors: { call: string; changes: Changes; error: string }[] = [
  { call: 'an unknown client', changes: { client_id: 'nobody' }, error: 'invalid_client' },
  {
    call: 'a client named like a member of every object',
    changes: { client_id: '__proto__' },
    error: 'invalid_client',
  },
  { call: 'no client', changes: { client_id: undefined }, error: 'invalid_request' },
  { call: 'an empty client_id', changes: { client_id: '' }, error: 'invalid_request' },
  { call: 'no redirect_uri', changes: { redirect_uri: undefined }, error: 'invalid_request' },
  { call: 'a foreign redirect_uri', changes: { redirect_uri: 'https://evil.example/' }, error: 'invalid_redirect_uri' },
];

describe.each(errors)('$call', ({ changes, error }) => {
  test.each(['text/html', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', '*/*'])(
    'with Accept: %s is a page of the school that no one may cache or frame',
    async (accept) => {
      const page = await schools.browser().fetch(request(changes), { headers: { accept } });
      expect([page.status, page.headers.get('location')]).toEqual([400, null]);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(page.headers.get('cache-control')).toBe('no-store');
      expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
      const html = await page.text();
      expect(html).toContain('Harbour School');
      expect(html).toContain(error);
    },
  );

  test.each(['application/json', 'application/json, text/html;q=0.5'])(
    'with Accept: %s is JSON that may not be cached',
    async (accept) => {
      const response = await schools.browser().fetch(request(changes), { headers: { accept } });
      expectError(await jsonResponse(response), 400, error);
    },
  );
});

const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(1)>`;

test.each(['client_id', 'redirect_uri', 'scope', 'state', 'prompt', 'response_type', 'nonce', hostile])(
  'a hostile %s does not get into the page as markup',
  async (name) => {
    const url = request({ [name]: hostile });
    if (name !== 'client_id') url.searchParams.set('redirect_uri', 'https://evil.example/');
    const html = await (await schools.browser().fetch(url)).text();
    readPage(html).getByRole('heading', { level: 1 });
    expect(html).not.toMatch(/<script(?! src="\/oauth\/pages\.js")/);
    expect(html).not.toContain('<img');
  },
);

test.each(['/oauth/interaction/', '/oauth/authorize/'])(
  'a hostile id under %s does not get into the page',
  async (path) => {
    const page = await schools.browser('sam').fetch(`${schools.harbour}${path}${encodeURIComponent(hostile)}`);
    expect([page.status, page.headers.get('cache-control')]).toEqual([400, 'no-store']);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await page.text()).not.toContain('alert(1)');
  },
);

test.each(['/oauth/interaction/unknown', '/oauth/authorize/unknown'])(
  'GET %s is a page that says what to do',
  async (path) => {
    const page = await schools.browser('sam').fetch(`${schools.harbour}${path}`);
    expect([page.status, page.headers.get('location')]).toEqual([400, null]);
    expect(await page.text()).toMatch(/start again|begin again|try again/i);
  },
);

test('a query of any bytes is an error, not a fault', async () => {
  for (const query of [
    '%',
    '%zz',
    '%ff%fe',
    '&&&===',
    'client_id',
    'a[b]=c&client_id[]=x',
    `x=${'y'.repeat(12_000)}`,
  ]) {
    const response = await fetch(`${schools.harbour}/oauth/authorize?${query}`, {
      headers: { accept: 'application/json' },
    });
    expectError(await jsonResponse(response), 400, 'invalid_request');
  }
  expect(schools.faults).toEqual([]);
});
