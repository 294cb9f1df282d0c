import { afterEach, expect, test } from '@jest/globals';
import type { Browser } from '../helpers/browser.ts';
import { decisionsOn } from '../helpers/browser.ts';
import { authorizeUrl, pkce, webMemberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
afterEach(() => schools.close());

/** Starts an authorization without being signed in; returns where the sign-in page sends the browser back to. */
async function arrive(browser: Browser): Promise<string> {
  const { url } = await browser.follow(authorizeUrl(schools.harbour, webMemberApp, pkce()));
  expect(url.pathname).toBe('/sign-in');
  return url.searchParams.get('return_to') ?? '';
}

const messages = (): string[] => schools.faults.map(({ message }) => message);
const lost = 'a browser came back from the sign-in page twice, and platform.signedInMember found no one signed in';

test.each([
  ['cross-site', 'SameSite=Strict; set SameSite=Lax'],
  ['same-origin', 'must reach this path (Path, Domain, Secure and SameSite of the cookie)'],
])(
  'back from the sign-in page twice (%s) and no one is signed in: one fault that says what to look at',
  async (from, advice) => {
    schools = await startSchools();
    for (let round = 0; round < 2; round += 1) {
      const browser = schools.browser();
      const returnTo = await arrive(browser);
      for (let visit = 1; visit <= 4; visit += 1) {
        const { url } = await browser.follow(returnTo, { headers: { 'sec-fetch-site': from } });
        expect(url.pathname).toBe('/sign-in');
        expect(messages()).toEqual(round === 0 && visit < 2 ? [] : [lost]);
      }
    }
    expect(String(schools.faults[0]?.cause)).toContain(advice);
  },
);

test.each([1, 2])('no fault for a person who signs in at visit %s', async (visits) => {
  schools = await startSchools();
  const browser = schools.browser();
  const returnTo = await arrive(browser);
  if (visits === 2) await browser.follow(returnTo);
  browser.platformCookie('person', 'sam');
  expect(decisionsOn((await browser.follow(returnTo)).html)).toContain('allow');
  expect(messages()).toEqual([]);
});

test('no fault for many people who come once and go', async () => {
  schools = await startSchools();
  for (let i = 0; i < 5; i += 1) await arrive(schools.browser());
  expect(messages()).toEqual([]);
});
