import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { AuditEvent } from '../../../lib/index.ts';
import { loopbackClients, vendorPlatforms, wellKnownVendors } from '../../../policies/index.ts';
import { startChromium } from '../../helpers/chromium.ts';
import { authorizeUrl, exchange, jsonResponse, pkce, type TestClient } from '../../helpers/flow.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { callTool } from '../../mcp/rpc.ts';

// A journey to where a person wanted to be: in a browser without JavaScript, with the keyboard alone.

const listCourses = {
  name: 'list_courses',
  title: 'List courses',
  description: 'Lists courses.',
  access: { scopes: ['courses:read'] },
  run: () => 'Knots for beginners',
} as const;

let schools: Schools;
let browser: Browser;
const log: AuditEvent[] = [];

beforeAll(async () => {
  [schools, browser] = await Promise.all([
    startSchools({
      mcp: { tools: [listCourses] },
      campus: {
        registration: [vendorPlatforms(wellKnownVendors), loopbackClients()],
        pages: { recentEvents: () => log },
      },
    }),
    startChromium(),
  ]);
  schools.campus.events.on('audit', (event) => log.unshift(event));
});
afterAll(async () => {
  await browser.close();
  await schools.close();
});

let presses = 0;
beforeEach(() => {
  presses = 0;
});

/** A browser without JavaScript; nobody is signed in. */
async function open(): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false });
  return context.newPage();
}

const signIn = (page: Page, person: string): Promise<void> =>
  page.context().addCookies([{ name: 'person', value: person, url: schools.harbour }]);

type Role = 'link' | 'button';

/** Presses Tab until it has the focus. */
async function tabTo(page: Page, role: Role, name: string | RegExp): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: typeof name === 'string' }).first();
  await wanted.waitFor();
  for (let i = 0; i < 150; i += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reached the ${role} ${String(name)}`);
}

/** Presses a link or a button, and waits for the page that it leads to. */
async function press(page: Page, role: 'link' | 'button', name: string | RegExp): Promise<void> {
  await tabTo(page, role, name);
  presses += 1;
  const loaded = page.waitForEvent('load');
  await page.keyboard.press('Enter');
  await loaded;
}

const heading = async (page: Page): Promise<string | null> => page.getByRole('heading', { level: 1 }).textContent();

/** Presses the button that connects, and takes what the program gets. */
async function connects(page: Page, client: TestClient, verifier: string, name: RegExp): Promise<string> {
  await tabTo(page, 'button', name);
  presses += 1;
  const sent = page.waitForRequest((request) => request.url().startsWith(client.redirectUri));
  await page.keyboard.press('Enter');
  const code = new URL((await sent).url()).searchParams.get('code') ?? '';
  const { body } = await exchange({ origin: schools.harbour, client, code, verifier });
  return String(body['access_token']);
}

async function claude(): Promise<TestClient> {
  const redirectUri = 'https://claude.ai/api/mcp/auth_callback';
  const body = JSON.stringify({ client_name: 'Claude', redirect_uris: [redirectUri] });
  const headers = { 'content-type': 'application/json' };
  const registered = await fetch(`${schools.harbour}/api/oauth/register`, { method: 'POST', headers, body });
  const { body: client } = await jsonResponse(registered);
  return { id: String(client['client_id']), redirectUri, scope: 'openid courses:read' };
}

test('an owner connects Claude from the set-up page to its first call of a tool: at most 6 presses and one sign-in', async () => {
  const page = await open();
  await page.goto(`${schools.harbour}/mcp/operator`);
  expect(await page.getByRole('textbox', { name: 'Address for operators' }).inputValue()).toBe(
    `${schools.harbour}/mcp/operator`,
  );
  const { verifier, challenge } = pkce();
  const client = await claude();
  // Claude opens this, and the one sign-in is there.
  await signIn(page, 'olivia');
  const there = await page.context().newPage();
  await there.goto(authorizeUrl(schools.harbour, client, { verifier, challenge }).href);
  const token = await connects(there, client, verifier, /^Connect/);
  await callTool(schools.harbour, 'list_courses', {}, { token });
  await press(page, 'link', 'Check the connection');
  expect(await heading(page)).toMatch(/^It works: .*Claude.* used .*List courses/);
  await press(page, 'link', 'See what it can do');
  expect(presses).toBeLessThanOrEqual(6);
  await page.context().close();
});
