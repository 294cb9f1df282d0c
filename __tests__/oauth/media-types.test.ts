import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deviceAuthorization } from '../../lib/grant-types.ts';
import { loopbackClients } from '../../policies/index.ts';
import type { Browser } from '../helpers/browser.ts';
import { authorizeUrl, connect, memberApp, pkce, webMemberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { kioskApp, withDevices } from '../features/device/devices.ts';

let schools: Schools;
let plain: Schools;
let token: string;
let plainToken: string;
let browser: Browser;
let interaction: string;
beforeAll(async () => {
  const campus = {
    ...withDevices,
    grants: [deviceAuthorization()],
    registration: [loopbackClients()],
    logout: { endSession: () => {} },
    limits: false,
  } as const;
  plain = await startSchools({ memberApi: {}, campus });
  schools = await startSchools({ memberApi: { plugins: [{}] }, mcp: {}, campus });
  token = String((await connect(schools.browser('sam'), schools.harbour, memberApp)).body['access_token']);
  plainToken = String((await connect(plain.browser('sam'), plain.harbour, memberApp)).body['access_token']);
  browser = schools.browser('sam');
  interaction = (await browser.follow(authorizeUrl(schools.harbour, webMemberApp, pkce()))).url.pathname;
});
afterAll(async () => {
  await schools.close();
  await plain.close();
});

const form = 'application/x-www-form-urlencoded';
const json = 'application/json';

interface Sent {
  readonly path: () => string;
  readonly type: string;
  readonly body: () => string;
  readonly status: number;
  readonly headers?: () => Record<string, string>;
  readonly at?: () => Schools;
}

const fields = (members: Readonly<Record<string, string>>) => (): string => new URLSearchParams(members).toString();
const kiosk = { client_id: kioskApp.id, client_secret: kioskApp.secret ?? '' };
const form200 = (path: string, members: Readonly<Record<string, string>>, status = 200): Sent => ({
  path: () => path,
  type: form,
  body: fields(members),
  status,
});
const bearer = () => ({ authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' });
const meta = { protocolVersion: '2026-07-28', clientInfo: { name: 'test', version: '1' }, clientCapabilities: {} };
const modern = Object.fromEntries(
  Object.entries(meta).map(([name, value]) => [`io.modelcontextprotocol/${name}`, value]),
);
const list = (params: object) => (): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params });
const query = (): string => JSON.stringify({ query: '{ viewer { id } }' });

/** A request that each address which reads a body takes. Pages refuse what has no token of theirs, and only then. */
const addresses: Readonly<Record<string, Sent>> = {
  token: form200('/api/oauth/token', { grant_type: 'refresh_token', refresh_token: 'x', ...kiosk }, 400),
  introspection: form200('/api/oauth/introspect', { token: 'x', ...kiosk }),
  revocation: form200('/api/oauth/revoke', { token: 'x', ...kiosk }),
  'device authorization': {
    ...form200('/api/oauth/device_authorization', {}),
    body: () => fields({ ...kiosk, scope: 'openid', resource: schools.harbour })(),
  },
  authorization: {
    ...form200('/oauth/authorize', {}, 303),
    body: () => authorizeUrl(schools.harbour, webMemberApp, pkce()).searchParams.toString(),
  },
  logout: form200('/oauth/logout', { state: 'x' }, 303),
  'the page for devices': form200('/oauth/device', { user_code: 'BBBB-BBBB' }, 400),
  'the consent page': { ...form200('', { decision: 'deny' }, 400), path: () => interaction },
  'a page of a member': form200('/account/apps/x', { action: 'disconnect' }, 400),
  registration: {
    path: () => '/api/oauth/register',
    type: json,
    body: () => JSON.stringify({ client_name: 'CLI', redirect_uris: ['http://127.0.0.1:8123/callback'] }),
    status: 201,
  },
  'the Member API': {
    path: () => '/member/graphql',
    type: json,
    body: query,
    status: 200,
    at: () => plain,
    headers: () => ({ authorization: `Bearer ${plainToken}` }),
  },
  'the Member API with plug-ins': {
    path: () => '/member/graphql',
    type: json,
    body: query,
    status: 200,
    headers: bearer,
  },
  ...Object.fromEntries(
    ['/mcp', '/mcp/operator', '/mcp/member'].flatMap((path) => [
      [
        `${path}, a plain request`,
        {
          path: () => path,
          type: json,
          body: list({}),
          status: 200,
          headers: () => ({ ...bearer(), 'mcp-protocol-version': '2025-11-25' }),
        },
      ],
      [
        `${path}, a request for the SDK`,
        {
          path: () => path,
          type: json,
          body: list({ _meta: modern }),
          status: 200,
          headers: () => ({ ...bearer(), 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }),
        },
      ],
      [
        `${path}, a request of 2025-03-26`,
        { path: () => path, type: json, body: list({}), status: 200, headers: bearer },
      ],
    ]),
  ),
};

async function send(
  { path, headers, at = () => schools }: Sent,
  type: string,
  body: string | Buffer<ArrayBuffer>,
): Promise<Response> {
  const init = {
    method: 'POST',
    headers: { accept: json, 'content-type': type, ...headers?.() },
    body,
    redirect: 'manual',
  } as const;
  return browser.fetch(`${at().harbour}${path()}`, init);
}

const harmless = [
  'charset=utf-8',
  'charset=utf8',
  'charset=UTF8',
  'charset="UTF-8"',
  'charset=us-ascii',
  'charset=iso-8859-1',
  'charset=ISO-8859-1',
  'charset=windows-1252',
  'charset=latin1',
  'charset="iso-8859-15"',
  'charset=ANSI_X3.4-1968',
  'charset=Shift_JIS',
  'charset=GB18030',
  'charset=',
  'charset=""',
  'charset',
  '',
  ';;',
  'boundary=x',
  'profile="a;charset=utf-16"',
  'profile="a\\";charset=utf-16"; charset=utf8',
  'odata.metadata=minimal; charset = "utf-8" ; q=1',
];

const refused = ['utf-16', 'UTF-16LE', 'utf-32', 'utf-7', 'iso-2022-jp', 'hz-gb-2312', 'ibm037', 'klingon', '*'];

describe.each(Object.entries(addresses))('%s', (_name, sent) => {
  test.each(harmless)('takes a body of ASCII with the parameters %j', async (parameters) => {
    const response = await send(sent, `${sent.type} ; ${parameters}`, sent.body());
    expect([response.status, await response.text()]).toEqual([sent.status, expect.not.stringMatching(/must be UTF-8/)]);
  });

  test.each(refused)('refuses charset=%s, and says what to send', async (charset) => {
    const response = await send(sent, `${sent.type}; charset=${charset}`, sent.body());
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('send charset=utf-8 or none'),
    ]);
  });

  const more = sent.type === form ? '&note=é' : ' "é"';

  test.each([
    ['other bytes than UTF-8', '', 'latin1', 'must be UTF-8'],
    ['other bytes than UTF-8 that are said to be', '; charset=utf8', 'latin1', 'must be UTF-8'],
    ['the bytes of another charset', '; charset=iso-8859-1', 'latin1', 'must be UTF-8, not iso-8859-1'],
    ['UTF-8 that is said to be another charset', '; charset=windows-1252', 'utf8', 'must be UTF-8, not windows-1252'],
  ] as const)('refuses %s', async (_what, parameters, encoding, problem) => {
    const body = Buffer.from(sent.body() + more, encoding);
    const response = await send(sent, sent.type + parameters, body);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(problem)]);
  });
});

test.each(['%E9', '%e9', 'a%C3', '%ED%A0%80', '%FF%FE', '%C3%28'])(
  'a form with %s, which is not UTF-8, is not read as another text',
  async (escapes) => {
    const { token: endpoint } = addresses;
    if (!endpoint) throw new Error('no endpoint');
    for (const type of [form, `${form}; charset=ISO-8859-1`]) {
      const response = await send(endpoint, type, `${endpoint.body()}&note=${escapes}`);
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('%C3%A9, not %E9')]);
    }
  },
);

test.each(['%', '%zz', '%C3%A9', '%c3%a9%', '100%25', 'é', '%F0%9F%98%80'])('a form with %s is read', async (text) => {
  const { introspection } = addresses;
  if (!introspection) throw new Error('no endpoint');
  expect((await send(introspection, form, `${introspection.body()}&note=${text}`)).status).toBe(200);
});
