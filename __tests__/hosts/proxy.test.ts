import { afterEach, describe, expect, test } from '@jest/globals';
import express from 'express';
import express4 from 'express-4';
import type { ProxyOptions } from '../../lib/http/proxy-options.ts';
import type { Campus } from '../../lib/index.ts';
import { authorizeUrl, pkce, webMemberApp } from '../helpers/flow.ts';
import { type HostApp, type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';
import { hostApp } from './frameworks.ts';

const origin = 'https://harbour.example';
const site = harbourSite(origin);

let schools: Schools;
afterEach(() => schools.close());

/** A school that is reached through a proxy which terminates TLS; returns the addresses that callers have. */
async function start(app: (campus: Campus) => HostApp): Promise<string[]> {
  const addresses: string[] = [];
  schools = await startSchools({
    app,
    platform: {
      findSite: (address) => (address === origin ? site : undefined),
      signedInMember: (ctx) => {
        addresses.push(ctx.ip);
        return { memberId: 'sam' };
      },
    },
  });
  return addresses;
}

const forwarded = {
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'harbour.example',
  'x-forwarded-for': '198.51.100.1, 203.0.113.9',
};

/** Starts an authorization through the proxy; 303 at a school, 404 where there is none. */
async function authorize(headers: Record<string, string> = forwarded): Promise<number> {
  const { pathname, search } = authorizeUrl(origin, webMemberApp, pkce());
  const response = await fetch(`${schools.harbour}${pathname}${search}`, { headers, redirect: 'manual' });
  return response.status;
}

function expressHost(version: typeof express, trust: unknown, options?: ProxyOptions, inner = false) {
  return (campus: Campus): HostApp => {
    const app = version();
    const school = inner ? version() : app;
    school.use(campus.handler(options));
    if (inner) app.use(school);
    if (trust !== undefined) app.set('trust proxy', trust);
    return hostApp(app);
  };
}

function nodeHost(options?: ProxyOptions) {
  return (campus: Campus): HostApp => hostApp(campus.handler(options));
}

describe.each([
  ['Express 5', express],
  ['Express 4', express4],
])('%s', (_name, version) => {
  test.each([
    [true, '198.51.100.1'],
    [1, '203.0.113.9'],
    ['loopback', '203.0.113.9'],
    [['loopback', '203.0.113.9'], '198.51.100.1'],
  ])(
    'trust proxy %j: the origin is the forwarded one, the address is the one that Express computes',
    async (trust, ip) => {
      const addresses = await start(expressHost(version, trust));
      expect(await authorize()).toBe(303);
      expect(addresses).toContain(ip);
      expect(schools.faults).toEqual([]);
    },
  );

  test('an application in the application inherits the setting', async () => {
    const addresses = await start(expressHost(version, 1, undefined, true));
    expect(await authorize()).toBe(303);
    expect(addresses).toContain('203.0.113.9');
  });

  test.each([undefined, false, '192.0.2.1'])('trust proxy %j: forwarded headers change nothing', async (trust) => {
    await start(expressHost(version, trust));
    expect(await authorize()).toBe(404);
    expect(schools.faults.map(({ message }) => message)).toEqual([
      `no school was found for a request for ${origin}, because the proxy is not trusted`,
    ]);
    expect(String(schools.faults[0]?.cause)).toContain(
      "mount campus.handler({ proxy: true }), or in an Express application app.set('trust proxy', 1)",
    );
  });

  test('the option of the handler wins', async () => {
    await start(expressHost(version, true, { proxy: false }));
    expect(await authorize()).toBe(404);
    await schools.close();
    const addresses = await start(expressHost(version, false, { proxy: true }));
    expect(await authorize()).toBe(303);
    expect(addresses).toContain('203.0.113.9');
  });
});

test.each<[ProxyOptions, string]>([
  [{ proxy: true }, '203.0.113.9'],
  [{ proxy: true, maxIpsCount: 2 }, '198.51.100.1'],
])('node:http, %j: the address is %s', async (options, ip) => {
  const addresses = await start(nodeHost(options));
  expect(await authorize()).toBe(303);
  expect(addresses).toContain(ip);
});

test('node:http without the option: forwarded headers change nothing', async () => {
  await start(nodeHost());
  expect(await authorize()).toBe(404);
  expect(await authorize({ ...forwarded, host: 'harbour.example' })).toBe(404);
  expect(schools.faults).toHaveLength(1);
});
