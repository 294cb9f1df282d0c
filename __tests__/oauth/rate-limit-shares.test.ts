import { afterEach, expect, test } from '@jest/globals';
import Koa from 'koa';
import { mcp, type McpOptions } from '../../lib/mcp/index.ts';
import { accessTools } from '../mcp/tools.ts';
import { callTool } from '../mcp/rpc.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
afterEach(() => schools.close());

async function start(perAddress: number, perSite: number): Promise<void> {
  const tools: McpOptions = { tools: accessTools };
  schools = await startSchools({
    campus: { limits: { anonymousCalls: { perAddress, perSite } }, mcp: mcp(tools) },
    app: (campus) => new Koa({ proxy: true }).use(campus.middleware()),
  });
}

/** How many of this number of calls from an address are served. */
async function served(address: string, times: number): Promise<number> {
  let count = 0;
  for (let i = 0; i < times; i += 1) {
    const { status } = await callTool(schools.harbour, 'open', {}, { headers: { 'x-forwarded-for': address } });
    if (status === 200) count += 1;
  }
  return count;
}

test('ten addresses do not use up a site’s hour: every other network is still served a share', async () => {
  await start(45, 400);
  const used = await Promise.all(Array.from({ length: 10 }, (_, i) => served(`198.51.${i}.1`, 46)));
  // Half of the hour, and a hundredth of the other half for each of their networks.
  expect(used.reduce((sum, each) => sum + each)).toBe(200 + 10 * 2);
  expect(await served('203.0.113.1', 4)).toBe(2);
  expect(await served('2001:db8::1', 4)).toBe(2);
});

test.each([
  ['an IPv4 /24', ['203.0.113.1', '203.0.113.200', '::ffff:203.0.113.77'], '203.0.114.1'],
  ['an IPv6 /48', ['2001:db8:1:1::1', '2001:db8:1:ffff::1', '2001:db8:1::'], '2001:db8:2::1'],
  ['everything that is not an address', ['nonsense', '1.2.3.4.5'], '203.0.113.1'],
])('%s has one share, the next network another', async (_name, addresses, next) => {
  await start(100, 200);
  // Two networks use up the first half.
  for (const address of ['198.51.100.1', '198.51.101.1']) expect(await served(address, 53)).toBe(50 + 1);
  const counts = [];
  for (const address of addresses) counts.push(await served(address, 2));
  expect(counts).toEqual(addresses.map((_address, i) => (i === 0 ? 1 : 0)));
  expect(await served(next, 2)).toBe(1);
});

test('an address that has used up its own quota gets nothing of the shares', async () => {
  await start(3, 1000);
  expect(await served('203.0.113.1', 10)).toBe(3);
});

test('the shares end with the site’s hour: however many networks call, it serves no more than the limit', async () => {
  await start(5, 10);
  expect(await served('198.51.100.1', 5)).toBe(2 + 1);
  let count = 0;
  for (let i = 0; i < 20; i += 1) count += await served(`203.0.${i}.1`, 1);
  expect(count).toBe(10 - 3);
});

test('a network of many addresses gets no more than a quarter of the hour, and its share', async () => {
  await start(5, 100);
  let count = 0;
  for (let i = 0; i < 60; i += 1) count += await served(`2001:db8:1:${i.toString(16)}::1`, 1);
  expect(count).toBe(25 + 1);
  expect(await served('2001:db8:2::1', 6)).toBe(5);
});
