import { afterEach, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { loopbackClients } from '../../policies/index.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
afterEach(() => schools.close());

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
    ['everything that is not an address', ['nonsense', '999.1.1.1', '2001:db8::1::2', '[2001:db8::1]', '12345::']],
  ])('%s', async (_who, addresses) => {
    expect(await register(addresses)).toEqual(addresses.map((_address, i) => (i === 0 ? 201 : 429)));
  });
});

describe('the rate limit per address is separate for', () => {
  test.each<[string, string[]]>([
    ['two IPv4 addresses', ['192.0.2.1', '192.0.2.2']],
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
