import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import type { Browser } from 'playwright-core';
import { startChromium } from '../../helpers/chromium.ts';
import { type MemberSchools, startMemberSchools, tokenOf } from '../../member-api/graphql.ts';

let schools: MemberSchools;
let browser: Browser;
beforeAll(async () => {
  const graphiql = { defaultQuery: '{ viewer { name } }', title: 'Try the Member API' };
  schools = await startMemberSchools({ memberApi: { graphiql, renderGraphiQL, landingPage: true } });
  browser = await startChromium();
});
afterAll(async () => {
  await browser.close();
  await schools.close();
});

/** A page, with what it complained about and where it sent requests. */
async function open(path: string, headers: Record<string, string> = {}) {
  const page = await (await browser.newContext({ extraHTTPHeaders: headers })).newPage();
  const complaints: string[] = [];
  const hosts = new Set<string>();
  page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => void (request.url().startsWith('http') && hosts.add(new URL(request.url()).origin)));
  await page.goto(`${schools.harbour}${path}`);
  return { page, complaints, hosts };
}

test('GraphiQL runs under its policy, asks no other host, and its requests need a token', async () => {
  const { page, complaints, hosts } = await open('/member/graphql');
  expect(await page.title()).toBe('Try the Member API');
  const refused = page.waitForResponse((response) => response.request().postData()?.includes('viewer') === true);
  await page.getByRole('button', { name: 'Execute query' }).click();
  expect((await refused).status()).toBe(401);
  expect([...hosts]).toEqual([schools.harbour]);
  // Chromium writes down each response with an error status.
  expect(complaints.filter((text) => !text.includes('status of 401'))).toEqual([]);
}, 60_000);

test('GraphiQL shows the schema and a result to who has a token', async () => {
  const token = await tokenOf(schools, schools.harbour);
  const { page, complaints } = await open('/member/graphql', { authorization: `Bearer ${token}` });
  await page.getByRole('button', { name: 'Execute query' }).click();
  await page.getByText('Sam Student').waitFor();
  await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
  await page.getByRole('link', { name: 'Query', exact: true }).waitFor();
  expect(complaints).toEqual([]);
}, 60_000);

test('the landing page leads to GraphiQL', async () => {
  const { page, hosts } = await open('/member');
  await page.getByRole('link', { name: 'Visit GraphiQL' }).click();
  await page.waitForURL(`${schools.harbour}/member/graphql`);
  expect([...hosts]).toEqual([schools.harbour]);
}, 60_000);
