import { afterEach, describe, expect, test } from '@jest/globals';
import { partsOf } from '../../lib/public/campus.ts';
import { createRoutes } from '../../lib/routes.ts';
import { eachFeature } from '../api-docs/each-feature.ts';
import { csrfOf, type Stop } from '../helpers/browser.ts';
import { authorizeUrl, pkce, webMemberApp } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
afterEach(() => schools.close());

const json = { accept: 'application/json' };
const foreign: readonly Readonly<Record<string, string>>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null', 'sec-fetch-site': 'cross-site' },
  { origin: 'null', 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site' },
];

test('a page that decides takes no form of another origin; others are those that go on by GET', async () => {
  schools = await startSchools(eachFeature['everything, with every grant and client authentication']);
  const parts = partsOf(schools.campus);
  if (!parts) throw new Error('a campus without parts');
  const pages = createRoutes(parts).routes.filter(({ kind, methods }) => kind === 'page' && methods.includes('POST'));
  expect(pages.length).toBeGreaterThan(5);
  const taken = new Set<string>();
  for (const { path } of pages) {
    for (const headers of foreign) {
      const url = schools.harbour + path.replace(':id', 'x');
      const init = { method: 'POST', headers: { ...json, ...headers }, body: new URLSearchParams({ csrf: 'x' }) };
      const response = await schools.browser('olivia').fetch(url, init);
      if (!(await response.text()).includes('not from another site')) taken.add(path);
    }
  }
  expect([...taken]).toEqual(['/oauth/authorize', '/oauth/logout']);
});

describe('a form with its proof', () => {
  /** Sends the form of a consent page with these headers, once or several times. */
  async function formOfConsent(): Promise<(headers: Readonly<Record<string, string>>) => Promise<Stop>> {
    schools = await startSchools();
    const browser = schools.browser('sam');
    const page = await browser.follow(authorizeUrl(schools.harbour, webMemberApp, pkce()));
    const body = new URLSearchParams({ csrf: csrfOf(page.html), decision: 'allow' });
    return (headers) => browser.follow(page.url, { method: 'POST', headers, body });
  }

  test.each(foreign)('is refused if it comes with %j, and decides nothing', async (headers) => {
    const post = await formOfConsent();
    const { response, html } = await post({ ...headers, accept: 'text/html' });
    expect(response.status).toBe(400);
    expect(readPage(html).getByRole('heading').text).toBe('We couldn’t complete this request');
    expect((await post({ origin: schools.harbour })).url.searchParams.has('code')).toBe(true);
  });

  test.each<Readonly<Record<string, string>>>([
    {},
    { origin: 'null' },
    { origin: 'null', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
  ])('is taken with %j', async (headers) => {
    const post = await formOfConsent();
    expect((await post(headers)).url.searchParams.has('code')).toBe(true);
  });
});
