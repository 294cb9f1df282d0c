import { afterEach, describe, expect, test } from '@jest/globals';
import { encode } from 'uqr';
import type { AuditEvent, Site } from '../../../lib/index.ts';
import { loopbackClients } from '../../../policies/loopback-clients.ts';
import { resetClock, stopTime } from '../../helpers/clock.ts';
import { connect, getCode, memberApp } from '../../helpers/flow.ts';
import { readPage } from '../../helpers/page.ts';
import { type Schools, type SchoolsOptions, startSchools } from '../../helpers/schools.ts';
import { harbourSite } from '../../helpers/sites.ts';
import { message } from '../../mcp/rpc.ts';

let schools: Schools;
afterEach(() => {
  resetClock();
  return schools.close();
});

const myInbox = { name: 'my_inbox', description: 'A tool.', access: { scopes: ['account:read'] }, run: () => 'done' };

async function start({ campus, mcp, ...options }: SchoolsOptions = {}): Promise<void> {
  schools = await startSchools({
    mcp: { tools: [myInbox], ...mcp },
    campus: { registration: [loopbackClients()], ...campus },
    ...options,
  });
}

const site = (): Site => harbourSite(schools.harbour);
const pageOf = async (path: string, person?: string): Promise<string> =>
  (await schools.browser(person).follow(schools.harbour + path)).html;
const addressesOn = (html: string): string[] =>
  readPage(html)
    .getAllByRole('textbox')
    .filter((field) => field.attribute('id') === 'address')
    .map(({ value }) => value);

describe('Connect your assistant', () => {
  const operator = ['/mcp/operator'];
  const member = ['/mcp/member'];

  test.each([
    ['nobody', undefined, '/mcp', ['/mcp']],
    ['nobody, who says operator', undefined, '/mcp?as=operator', operator],
    ['nobody, who says member', undefined, '/mcp?as=member', member],
    ['nobody, who says nonsense', undefined, '/mcp?as=admin', ['/mcp']],
    ['nobody', undefined, '/mcp/operator', operator],
    ['nobody', undefined, '/mcp/member', member],
    ['an operator', 'olivia', '/mcp', operator],
    ['an operator', 'olivia', '/mcp/member', member],
    ['a member', 'sam', '/mcp', member],
    ['a member', 'sam', '/mcp/operator', operator],
    ['a person without a role', 'nora', '/mcp', ['/mcp']],
  ])('has one address for %s (%s) at %s', async (_who, person, path, expected) => {
    await start();
    const html = await pageOf(`${path}${path.includes('?') ? '&' : '?'}app=other`, person);
    expect(addressesOn(html)).toEqual(expected.map((each) => schools.harbour + each));
    expect(html.includes('Who are you?')).toBe(expected[0] === '/mcp');
    expect(html.includes('isn’t staff of')).toBe(person === 'sam' && path === '/mcp/operator');
  });

  test('asks nothing where one address is left, or where every request needs a token', async () => {
    await start({ mcp: { memberPath: false } });
    expect(addressesOn(await pageOf('/mcp'))).toEqual([`${schools.harbour}/mcp/operator`]);
    await schools.close();
    await start({ mcp: { operatorPath: false, memberPath: false } });
    expect(addressesOn(await pageOf('/mcp'))).toEqual([`${schools.harbour}/mcp`]);
    await schools.close();
    await start({ mcp: { anonymous: false, operatorPath: false } });
    expect(addressesOn(await pageOf('/mcp?as=operator'))).toEqual([`${schools.harbour}/mcp`]);
    expect(await pageOf('/mcp')).toContain('Who are you?');
  });

  test('is there for everyone while the platform fails, which is a fault', async () => {
    await start({
      wrapPlatform: (platform) => ({ ...platform, signedInMember: () => Promise.reject(new Error('down')) }),
    });
    expect(await pageOf('/mcp', 'olivia')).toContain('Who are you?');
    expect(schools.faults).toHaveLength(1);
  });

  test('is about one app at a time: its steps, its address, and where to see that it works', async () => {
    await start();
    const page = readPage(await pageOf('/mcp/operator', 'olivia'));
    page.getByRole('heading', { name: 'Connect your assistant', level: 1 });
    const steps = page.getAllByRole('heading', { level: 2 }).map(({ text }) => text);
    expect(steps.slice(0, 3)).toEqual(['Which one do you use?', 'Give Claude this address', 'Waiting for Claude …']);
    const check = '/account/apps/check?app=';
    expect(page.getByRole('link', { name: 'Check the connection' }).href).toBe(`${check}claude`);
    const gemini = readPage(await pageOf(page.getByRole('link', { name: 'Gemini CLI' }).href, 'olivia'));
    gemini.getByRole('heading', { name: 'Give Gemini CLI this address', level: 2 });
    expect(gemini.getByRole('link', { name: 'Gemini CLI' }).attribute('aria-current')).toBe('true');
    expect(gemini.getByRole('link', { name: 'Check the connection' }).href).toBe(`${check}gemini-cli`);
    readPage(await pageOf('/mcp/operator?app=%3Cb%3E')).getByRole('heading', { name: 'Give Claude this address' });
  });

  test('has a QR code of the address', async () => {
    await start();
    const html = await pageOf('/mcp/member?app=other');
    const [, size = '', light = '', lines = ''] =
      /viewBox="0 0 (\d+) \d+"[^>]*><path fill="#fff" d="([^"]+)"\/><path stroke="#000" d="([^"]+)"/.exec(html) ?? [];
    expect(light).toBe(`M0 0h${size}v${size}H0z`);
    const read = Array.from({ length: Number(size) }, () => Array.from({ length: Number(size) }, () => false));
    for (const [, x, y, length] of lines.matchAll(/M(\d+) (\d+)\.5h(\d+)/g)) {
      read[Number(y)]?.fill(true, Number(x), Number(x) + Number(length));
    }
    expect(read).toEqual(encode(`${schools.harbour}/mcp/member`, { border: 4 }).data);
  });

  test('offers members what takes a client ID, and shows it once an administrator has created the application', async () => {
    await start();
    const before = readPage(await pageOf('/mcp/member', 'sam'));
    const own = before.getByRole('link', { name: 'Claude Code' }).href;
    for (const name of ['Zed', 'MCP Inspector', 'Codex']) expect(before.queryByRole('link', { name })).toBeUndefined();
    // Nothing to enter anywhere, since it would be refused.
    const without = await pageOf(own, 'sam');
    expect(addressesOn(without)).toEqual([]);
    readPage(without).getByRole('heading', { name: 'Claude Code needs school approval', level: 2 });
    const asks = readPage(without).getByRole('link', { name: 'Ask the school' });
    expect(asks.href).toBe('/account/apps/requests?view=new&app=claude-code');
    const uris = { clientName: 'Claude Code', redirectUris: ['http://localhost/callback'] };
    const asked = await schools.campus.requests.ask(site(), 'sam', { app: 'claude-code', ...uris });
    const { application } = await schools.campus.applications.create(site(), {
      ...uris,
      scopes: ['openid', 'account:read'],
      confidential: false,
    });
    await schools.campus.requests.grant(site(), asked.id, application.clientId);
    const paste = `--client-id ${application.clientId} --callback-port 8080 school ${schools.harbour}/mcp/member`;
    expect(await pageOf(own, 'sam')).toContain(paste);
    expect(await pageOf('/account/apps/requests', 'sam')).toContain(paste);
    for (const other of [undefined, 'olivia']) expect(await pageOf(own, other)).not.toContain(paste);
  });

  test('sends operators to an application where no app gets in by itself', async () => {
    await start({ campus: { registration: [] } });
    const html = await pageOf('/mcp/operator?app=claude-code', 'olivia');
    const hrefs = readPage(html)
      .getAllByRole('link')
      .map(({ href }) => href);
    expect(hrefs).toContain('/developers/oauth-applications/new?audience=operator&app=claude-code');
    expect(html).not.toContain('claude mcp add');
  });
});

describe('Check the connection', () => {
  const check = '/account/apps/check';
  const log: AuditEvent[] = [];
  const badges = (html: string): string[] =>
    readPage(html)
      .getAllByText(/^(?:Done|Not yet|Not known|Refused|Not collected)$/)
      .map(({ text }) => text);

  async function startWithLog(): Promise<void> {
    log.length = 0;
    await start({ campus: { log: { list: () => ({ events: log }) } } });
    schools.campus.events.on('audit', (event) => log.unshift(event));
  }

  test('follows a person from the first request to the first call of a tool', async () => {
    await startWithLog();
    const path = `${check}?client=${memberApp.id}`;
    expect(badges(await pageOf(path, 'sam'))).toEqual(['Not yet', 'Not yet', 'Not yet', 'Not yet']);
    const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp);
    expect(badges(await pageOf(path, 'sam'))).toEqual(['Done', 'Done', 'Done', 'Not yet']);
    const authorization = `Bearer ${String(body['access_token'])}`;
    const call = message('2025-11-25', 'tools/call', { name: 'my_inbox', arguments: {} });
    const headers = { ...call.headers, authorization };
    const init = { method: 'POST', headers, body: JSON.stringify(call.body) };
    const called = await fetch(`${schools.harbour}/mcp/member`, init);
    expect(called.status).toBe(200);
    const html = await pageOf(path, 'sam');
    expect(badges(html)).toEqual(['Done', 'Done', 'Done', 'Done']);
    expect(html).toContain('my inbox');
    expect(badges(await pageOf(path, 'olivia'))).toEqual(['Not yet', 'Not yet', 'Not yet', 'Not yet']);
  });

  test('says that a code was never redeemed, and that a token was never used', async () => {
    await startWithLog();
    const path = `${check}?client=${memberApp.id}`;
    const later = stopTime();
    await getCode(schools.browser('sam'), schools.harbour, memberApp);
    expect(badges(await pageOf(path, 'sam'))).toEqual(['Done', 'Done', 'Not yet', 'Not yet']);
    later(61);
    const lost = await pageOf(path, 'sam');
    expect(badges(lost)).toEqual(['Done', 'Done', 'Not collected', 'Not yet']);
    readPage(lost).getByText(/^Not collected It did not collect its access in time/);
    await connect(schools.browser('sam'), schools.harbour, memberApp);
    readPage(await pageOf(path, 'sam')).getByText(/^Not yet It has its access, and has called no tool yet\./);
  });

  test('says only what is known without a log, and while it fails', async () => {
    await start();
    await connect(schools.browser('sam'), schools.harbour, memberApp);
    expect(badges(await pageOf(check, 'sam'))).toEqual(['Done', 'Done', 'Done', 'Not known']);
    await schools.close();
    await start({ campus: { log: { list: () => Promise.reject(new Error('down')) } } });
    expect(badges(await pageOf(check, 'sam'))).toEqual(['Not known', 'Not yet', 'Not yet', 'Not yet']);
    expect(schools.faults.map((fault) => fault.message)).toEqual(['log.list failed']);
  });

  test('is for people who are signed in and have a role; it changes nothing', async () => {
    await startWithLog();
    expect((await schools.browser().follow(schools.harbour + check)).url.pathname).toBe('/sign-in');
    expect((await schools.browser('nora').follow(schools.harbour + check)).response.status).toBe(403);
    const posted = await schools.browser('sam').follow(schools.harbour + check, { method: 'POST' });
    expect(posted.response.status).toBe(405);
    expect(log).toEqual([]);
  });

  test('shows hostile events and parameters as text, and asks only itself', async () => {
    await startWithLog();
    const hostile = '<script>alert(1)</script>\u202E';
    const refusal = { action: 'authorization.refused', outcome: 'refused', reason: hostile, memberId: 'sam' } as const;
    const [time, actor] = ['2026-11-22T14:34:00Z', { kind: 'member' } as const];
    log.push({ version: 1, eventId: '1', siteId: 'harbour', time, actor, clientId: hostile, ...refusal });
    const { html, response } = await schools
      .browser('sam')
      .follow(`${schools.harbour}${check}?${new URLSearchParams({ client: hostile }).toString()}`);
    expect(badges(html)[0]).toBe('Refused');
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('\u202E');
    expect(response.headers.get('content-security-policy')).toContain(`connect-src ${schools.harbour}${check};`);
  });
});
