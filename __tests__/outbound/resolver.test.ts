import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import type { DocumentFetcher, FetchReason } from '../../lib/core/outbound/fetcher.ts';
import { askNameServers } from '../../lib/core/outbound/resolver.ts';
import { fetcherHarness, unused, url, used } from './fetcher-harness.ts';
import { nameServer } from './name-server.ts';

const loopback = '7f000001';
const v4 = '5db8d70e';
const v6 = '26062800021fcb07682080daaf6b8b2c';

const dns = nameServer({
  'docs.example': { A: [loopback] },
  'both.example': { A: [v4, v4], AAAA: [v6] },
  'six.example': { AAAA: [v6] },
  'half-broken.example': { A: [v4], AAAA: 'SERVFAIL' },
  'broken.example': { A: 'SERVFAIL', AAAA: 'SERVFAIL' },
  'empty.example': {},
  'inside.example': { A: [v4], AAAA: [`fd${'0'.repeat(29)}1`] },
  'mapped.example': { A: [v4], AAAA: [`${'0'.repeat(20)}ffff${loopback}`] },
});
const { server, fetcherOf } = fetcherHarness();

/** A fetcher that asks the name server. */
const byName = (deadline: number, allowPrivateAddresses = true): DocumentFetcher =>
  fetcherOf({ deadline, testing: { resolve: undefined, allowPrivateAddresses } });

let hosts = 0;
/** Fetches a document of a host whose name server never responds. */
function silent(
  fetcher: DocumentFetcher,
  reason: FetchReason = unused,
): { readonly host: string; readonly fetched: Promise<unknown> } {
  const host = `silent-${(hosts += 1)}.example`;
  return { host, fetched: fetcher.fetch(`https://${host}/client.json`, reason).catch(String) };
}
const many = (fetcher: DocumentFetcher, count: number, reason: FetchReason = unused): ReturnType<typeof silent>[] =>
  Array.from({ length: count }, () => silent(fetcher, reason));
const allOf = (fetches: ReturnType<typeof silent>[]): Promise<unknown> =>
  Promise.all(fetches.map(({ fetched }) => fetched));

const hour = 3_600_000;

describe('silent name servers', () => {
  test('stop neither another look-up of the process nor its files', async () => {
    const fetcher = byName(hour);
    const fetches = many(fetcher, 20);
    let settled = 0;
    for (const { fetched } of fetches) void fetched.then(() => (settled += 1));
    await Promise.all(fetches.map(({ host }) => dns.asked(host)));
    await Promise.all([lookup('localhost'), readFile(import.meta.filename), fetcher.fetch(url, unused)]);
    expect(settled).toBe(0);
    fetcher.close();
    await allOf(fetches);
  });

  test('leave nothing behind after the deadline: the look-ups were cancelled, and others can begin', async () => {
    const fetcher = byName(200);
    await allOf(many(fetcher, 48));
    const next = silent(fetcher);
    await Promise.race([dns.asked(next.host), next.fetched.then((error) => expect(error).toBe('a question'))]);
    fetcher.close();
    await next.fetched;
  });

  const refused = {
    error: 'temporarily_unavailable',
    message: `the metadata document at ${url} cannot be fetched at the moment: too many are on the way`,
  };
  const found = { document: { client_name: 'A' } };

  test('keep at most 48 look-ups of a school busy: one more is refused at once, with 503, and no other school', async () => {
    const fetcher = byName(hour);
    const fetches = many(fetcher, 48);
    await expect(fetcher.fetch(url, unused)).rejects.toMatchObject(refused);
    await expect(fetcher.fetch(url, used)).resolves.toMatchObject(found);
    await expect(fetcher.fetch(url, { siteId: 'summit', used: false })).resolves.toMatchObject(found);
    fetcher.close();
    await allOf(fetches);
  });

  test('keep at most 96 look-ups busy, and 32 are left to documents in use', async () => {
    const fetcher = byName(hour);
    const atSchools = (count: number, isUsed: boolean) =>
      Array.from({ length: count }, (_, i) => silent(fetcher, { siteId: `school-${i}-${isUsed}`, used: isUsed }));
    const fetches = atSchools(96, false);
    await expect(fetcher.fetch(url, unused)).rejects.toMatchObject(refused);
    await expect(fetcher.fetch(url, used)).resolves.toMatchObject(found);
    fetches.push(...atSchools(32, true));
    await expect(fetcher.fetch(url, used)).rejects.toMatchObject(refused);
    fetcher.close();
    await allOf(fetches);
  });

  test('a look-up ends as soon as its signal does, and does not begin after it', async () => {
    const controller = new AbortController();
    const looked = askNameServers('silent-0.example', controller.signal);
    await dns.asked('silent-0.example');
    controller.abort();
    await expect(looked).rejects.toMatchObject({ code: 'ECANCELLED' });
    await expect(askNameServers('silent-too-late.example', controller.signal)).rejects.toThrow('aborted');
    expect(dns.questions.filter((question) => question.includes('too-late'))).toEqual([]);
  });

  test('after a fetch has failed another can begin at once: the look-up has given its place back', async () => {
    let calls = 0;
    const resolve = () => ((calls += 1), new Promise<never>(() => {}));
    const fetcher = fetcherOf({ deadline: 20, testing: { resolve } });
    const next = many(fetcher, 48).map(({ fetched }) => fetched.then(() => silent(fetcher).fetched));
    const errors = await Promise.all(next);
    expect(errors.filter((error) => String(error).includes('too many'))).toEqual([]);
    expect(calls).toBe(96);
  });
});

describe('the addresses of a host', () => {
  test.each<[string, readonly string[]]>([
    ['both.example', ['93.184.215.14', '93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c']],
    ['six.example', ['2606:2800:21f:cb07:6820:80da:af6b:8b2c']],
    ['half-broken.example', ['93.184.215.14']],
    ['empty.example', []],
  ])('%s', async (host, expected) => {
    const addresses = await askNameServers(host, new AbortController().signal).catch(() => []);
    expect(addresses.map(({ address }) => address)).toEqual(expected);
    for (const { address, family } of addresses) expect(family).toBe(address.includes(':') ? 6 : 4);
  });

  test.each(['broken.example', 'nobody.example', 'localhost', 'docs'])('%s has none', async (host) => {
    const before = dns.questions.length;
    await expect(askNameServers(host, new AbortController().signal)).rejects.toThrow(host);
    // Neither /etc/hosts nor a search domain was tried.
    expect(new Set(dns.questions.slice(before))).toEqual(new Set([`A ${host}`, `AAAA ${host}`]));
  });

  test.each(['127.0.0.1', '::1', '93.184.215.14'])('%s is one, and nobody is asked', async (address) => {
    const before = dns.questions.length;
    const family = address.includes(':') ? 6 : 4;
    expect(await askNameServers(address, new AbortController().signal)).toEqual([{ address, family }]);
    expect(dns.questions).toHaveLength(before);
  });

  test.each(['inside.example', 'mapped.example', 'docs.example'])(
    '%s: one that is not public is refused',
    async (host) => {
      const before = server().connections();
      await expect(byName(hour, false).fetch(`https://${host}/client.json`, unused)).rejects.toMatchObject({
        error: 'temporarily_unavailable',
        cause: { message: 'an address is not public' },
      });
      expect(server().connections()).toBe(before);
    },
  );

  test('each is asked for once, and connected to', async () => {
    const before = dns.questions.length;
    await expect(byName(hour).fetch(url, unused)).resolves.toMatchObject({ document: { client_name: 'A' } });
    expect(dns.questions.slice(before).sort()).toEqual(['A docs.example', 'AAAA docs.example']);
  });
});
