import { afterEach, describe, expect, test } from '@jest/globals';
import express from 'express';
import Koa from 'koa';
import type { AuditEvent, Campus } from '../../lib/index.ts';
import { loopbackClients } from '../../policies/index.ts';
import { resetClock, passTime } from '../helpers/clock.ts';
import { type HostApp, type Schools, startSchools } from '../helpers/schools.ts';
import { hostApp } from '../hosts/frameworks.ts';
import { callTool } from '../mcp/rpc.ts';
import { accessTools } from '../mcp/tools.ts';

let schools: Schools;
afterEach(async () => {
  resetClock();
  await schools.close();
});

/** The statuses of one registration from each address in turn, where an address may register once. */
async function register(addresses: readonly string[], proxy = true): Promise<number[]> {
  schools = await startSchools({
    campus: { registration: [loopbackClients()], limits: { registrations: { perAddress: 1, perSite: 100 } } },
    app: (campus) => new Koa({ proxy }).use(campus.middleware()),
  });
  const statuses: number[] = [];
  for (const address of addresses) {
    const { status } = await fetch(`${schools.harbour}/api/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ redirect_uris: ['http://127.0.0.1/'] }),
    });
    statuses.push(status);
  }
  return statuses;
}

describe('the rate limit per address is shared by', () => {
  test.each<[string, string[]]>([
    ['an IPv4 address and itself', ['192.0.2.1', '192.0.2.1']],
    ['all addresses of one IPv6 /64', ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::']],
    ['a /64 in which :: stands before the prefix ends', ['2001:db8::1', '2001:db8::2:0:0:1', '2001:db8:0:0:1:2:3:4']],
    ['all spellings of an IPv6 address', ['2001:db8:1:2::1', '2001:0DB8:0001:0002:0000:0000:0000:0001']],
    [
      'an IPv4 address and its v4-mapped spellings',
      ['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:192.0.2.1'],
    ],
    ['a v4-mapped address with a zone id', ['255.255.255.255', '0000:0000:0000:0000:0000:ffff:255.255.255.255%eth0']],
    ['one link-local network with any zone id', ['fe80::1%eth0', 'fe80::2%1', 'fe80::3']],
    ['an IPv4 address with any port', ['203.0.113.7:51234', '203.0.113.7:80', '203.0.113.7']],
    [
      'an IPv6 address in brackets, with any port and zone',
      ['[2001:db8::1]:443', '[2001:db8::1]', '2001:db8::1', '[2001:db8::1%eth0]:5', '[2001:db8::1%25eth0]'],
    ],
    ['a v4-mapped address in brackets', ['[::ffff:192.0.2.1]:443', '[::ffff:c000:201]', '192.0.2.1:443']],
  ])('%s', async (_who, addresses) => {
    expect(await register(addresses)).toEqual(addresses.map((_address, i) => (i === 0 ? 201 : 429)));
  });
});

describe('the rate limit per address is separate for', () => {
  test.each<[string, string[]]>([
    ['two IPv4 addresses', ['192.0.2.1', '192.0.2.2']],
    ['two IPv4 addresses with one port', ['192.0.2.1:443', '192.0.2.2:443']],
    ['two IPv6 addresses in brackets', ['[2001:db8:1::1]:443', '[2001:db8:2::1]:443']],
    ['two IPv6 /64s', ['2001:db8:1:2::1', '2001:db8:1:3::1', '2001:db8:0:1::', '2001:db8::1']],
    ['two v4-mapped addresses', ['::ffff:192.0.2.1', '::ffff:c000:202', '0:0:0:0:0:ffff:192.0.2.3']],
    ['an IPv6 address that ends in an IPv4 address', ['1::2:3:4:192.0.2.1', '1::3:3:4:192.0.2.1', '192.0.2.1']],
    ['the loopback addresses of IPv6 and IPv4', ['::1', '127.0.0.1', '::ffff:127.0.0.2']],
  ])('%s', async (_who, addresses) => {
    expect(await register(addresses)).toEqual(addresses.map(() => 201));
  });
});

test('the first address of X-Forwarded-For counts', async () => {
  expect(await register(['192.0.2.1, 192.0.2.9', '192.0.2.1', '192.0.2.9'])).toEqual([201, 429, 201]);
});

test('X-Forwarded-For is ignored unless app.proxy is set', async () => {
  expect(await register(['192.0.2.1', '192.0.2.2'], false)).toEqual([201, 429]);
});

describe('what a proxy writes that is no address', () => {
  const faults = (): string[] => schools.faults.map(({ cause }) => String(cause));

  test('is a fault that says what came, from where, and what to set; the limit per address does not apply', async () => {
    const garbage = [
      'unknown',
      '_hidden',
      '999.1.1.1',
      '2001:db8::1::2',
      '12345::',
      '[192.0.2.1',
      '1.2.3.4:x',
      '\u009b[2J',
    ];
    expect(await register(garbage)).toEqual(garbage.map(() => 201));
    expect(schools.faults.map(({ message }) => message)).toEqual(['the address of a caller is unknown']);
    expect(faults()[0]).toMatch(
      /X-Forwarded-For must have the IP address of the caller, not "unknown" from (?:127\.0\.0\.1|::1); .*maxIpsCount/,
    );
  });

  test('is reported again after an hour, so that nobody uses the report up; text of the caller is printable and short', async () => {
    await register(['\u009b[2J'.padEnd(500, 'x')]);
    passTime(3601);
    await fetch(`${schools.harbour}/api/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': 'unknown' },
      body: JSON.stringify({ redirect_uris: ['http://127.0.0.1/'] }),
    });
    expect(faults()).toHaveLength(2);
    expect(faults()[0]).toContain(`"?[2J${'x'.repeat(56)}" from`);
    expect(faults()[1]).toContain('"unknown" from');
  });
});

test.each<[string, (campus: Campus) => HostApp]>([
  ['Koa', (campus) => new Koa({ proxy: true, maxIpsCount: 1 }).use(campus.middleware())],
  ['campus.handler()', (campus) => hostApp(campus.handler({ proxy: true }))],
  ['Express', (campus) => hostApp(express().set('trust proxy', 1).use(campus.handler()))],
])(
  '%s behind a proxy that adds ports: each address has a quota of its own, and is in the audit log',
  async (_host, app) => {
    schools = await startSchools({
      app,
      campus: { limits: { anonymousCalls: { perAddress: 1, perSite: 100 } } },
      mcp: { tools: accessTools },
    });
    const events: AuditEvent[] = [];
    schools.campus.events.on('audit', (event) => events.push(event));
    const call = async (address: string, token?: string): Promise<number> => {
      const headers = { 'x-forwarded-for': `198.51.100.66, ${address}`, 'x-forwarded-proto': 'http' };
      return (await callTool(schools.harbour, 'open', {}, { headers, token })).status;
    };
    const statuses: number[] = [];
    for (const address of [
      '203.0.113.7:1',
      '203.0.113.7:2',
      '[2001:db8::1]:1',
      '[2001:db8::2]:2',
      '[2001:db8:1::]:3',
    ]) {
      statuses.push(await call(address));
    }
    expect(statuses).toEqual([200, 429, 200, 429, 200]);
    await call('203.0.113.9:4711', 'unknown');
    await call('unknown', 'unknown');
    expect(events.filter(({ action }) => action === 'token.rejected').map(({ address }) => address)).toEqual([
      '203.0.113.9',
      undefined,
    ]);
  },
);
