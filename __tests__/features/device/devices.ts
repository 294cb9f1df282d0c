import type { StaticClient } from '../../../lib/index.ts';
import { deviceAuthorization } from '../../../lib/grant-types.ts';
import type { Browser, Stop } from '../../helpers/browser.ts';
import { decisionsOn } from '../../helpers/browser.ts';
import { testClients } from '../../helpers/clients.ts';
import { type Changes, clientFields, type JsonResponse, postForm, type TestClient } from '../../helpers/flow.ts';
import { readPage } from '../../helpers/page.ts';
import type { SchoolsOptions } from '../../helpers/schools.ts';

/** A terminal app at Harbour School, which has no browser and no callback. */
export const terminal = {
  clientId: 'terminal',
  clientName: 'Lab Terminal',
  audience: 'member',
  redirectUris: [],
  scopes: ['openid', 'profile', 'account:read'],
  device: true,
  sites: ['harbour'],
} as const satisfies StaticClient;

/** The same, as its developer knows it. */
export const terminalApp: TestClient = { id: terminal.clientId, redirectUri: '', scope: terminal.scopes.join(' ') };

/** A server of the platform, which shows codes on the displays of a lab, and is not asked for consent. */
export const kiosk = {
  clientId: 'kiosk',
  clientName: 'Kiosk',
  audience: 'member',
  redirectUris: [],
  scopes: ['openid', 'profile', 'account:read'],
  clientSecret: 'kiosk-secret',
  firstParty: true,
  device: true,
} as const satisfies StaticClient;

/** The same, as its developer knows it. */
export const kioskApp: TestClient = { ...terminalApp, id: kiosk.clientId, secret: kiosk.clientSecret };

/** Options of schools with devices. */
export const withDevices = {
  grants: [deviceAuthorization()],
  clients: [...testClients, terminal, kiosk],
} satisfies SchoolsOptions['campus'];

/** What a device got. */
export interface DeviceCodes {
  readonly origin: string;
  readonly client: TestClient;
  readonly deviceCode: string;
  readonly userCode: string;
}

/** A device authorization request. */
export function askForDevice(
  origin: string,
  client: TestClient = terminalApp,
  changes: Changes = {},
  userAgent = 'lab-terminal/1.0 (Linux)',
): Promise<JsonResponse> {
  const form = { ...clientFields(client), scope: client.scope, resource: origin, ...changes };
  return postForm(`${origin}/api/oauth/device_authorization`, form, { 'user-agent': userAgent });
}

/** The codes of a device authorization request. */
export async function startDevice(
  origin: string,
  client: TestClient = terminalApp,
  changes: Changes = {},
  userAgent?: string,
): Promise<DeviceCodes> {
  const { status, body } = await askForDevice(origin, client, changes, userAgent);
  if (status !== 200) throw new Error(`no device code: ${status} ${JSON.stringify(body)}`);
  return { origin, client, deviceCode: String(body['device_code']), userCode: String(body['user_code']) };
}

/** Asks for the tokens of a device. */
export function poll({ origin, client, deviceCode }: DeviceCodes, changes: Changes = {}): Promise<JsonResponse> {
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  const form = { grant_type, device_code: deviceCode, resource: origin, ...clientFields(client), ...changes };
  return postForm(`${origin}/api/oauth/token`, form);
}

/** Posts the form of a page about a device. */
export function submit(browser: Browser, { url, html }: Stop, fields: Changes): Promise<Stop> {
  const body = new URLSearchParams({ xsrf: readPage(html).fields.get('xsrf') ?? '' });
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) body.set(name, value);
  return browser.follow(new URL('/oauth/device', url), { method: 'POST', body });
}

/** Enters a code: the page that asks whether it is the person's device, or says what is wrong. */
export async function enterCode(browser: Browser, origin: string, userCode: string): Promise<Stop> {
  return submit(browser, await browser.follow(`${origin}/oauth/device`), { user_code: userCode });
}

/** Enters a code, and says that it is of the person's own device: the consent page, or the last one. */
export async function confirmCode(browser: Browser, origin: string, userCode: string): Promise<Stop> {
  const stop = await enterCode(browser, origin, userCode);
  return submit(browser, stop, { user_code: userCode, confirm: 'yes' });
}

/** All that a person does, who sees only the user code. */
export async function approve(
  browser: Browser,
  { origin, userCode }: Pick<DeviceCodes, 'origin' | 'userCode'>,
): Promise<Stop> {
  const stop = await confirmCode(browser, origin, userCode);
  return decisionsOn(stop.html).includes('allow') ? browser.decide(stop, 'allow') : stop;
}
