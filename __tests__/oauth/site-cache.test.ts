import { afterEach, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import type { CampusOptions, SchoolPlatform } from '../../lib/index.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

let schools: Schools;
let calls: string[];
const environment = process.env['NODE_ENV'];
afterEach(async () => {
  process.env['NODE_ENV'] = environment;
  await schools.close();
});

const discovery = '/.well-known/openid-configuration';

async function start(siteCache?: CampusOptions['siteCache']): Promise<void> {
  calls = [];
  const wrapPlatform = (platform: SchoolPlatform): SchoolPlatform => ({
    ...platform,
    findSite: (origin) => {
      calls.push(origin);
      return platform.findSite(origin);
    },
  });
  schools = await startSchools({ wrapPlatform, ...(siteCache !== undefined && { campus: { siteCache } }) });
}

describe('siteCache', () => {
  test.each<[string, CampusOptions['siteCache'], number]>([
    ['by default', undefined, 1],
    ['with 0', 0, 3],
    ['with 60', 60, 1],
  ])('%s: three requests in a row ask the platform %s', async (_what, siteCache, count) => {
    await start(siteCache);
    for (let i = 0; i < 3; i += 1) expect((await fetch(`${schools.harbour}${discovery}`)).status).toBe(200);
    expect(calls).toHaveLength(count);
  });

  test('with 0 requests at the same moment still share one call', async () => {
    const { promise: all, resolve } = Promise.withResolvers<void>();
    let [arrived, asked] = [0, 0];
    schools = await startSchools({
      campus: { siteCache: 0 },
      wrapPlatform: (platform) => ({
        ...platform,
        findSite: async (origin) => {
          asked += 1;
          await all;
          return platform.findSite(origin);
        },
      }),
      app: (campus) =>
        new Koa()
          .use((_ctx, next) => {
            arrived += 1;
            if (arrived === 3) resolve();
            return next();
          })
          .use(campus.middleware()),
    });
    const responses = await Promise.all([1, 2, 3].map(() => fetch(`${schools.harbour}${discovery}`)));
    expect([asked, ...responses.map(({ status }) => status)]).toEqual([1, 200, 200, 200]);
  });
});

describe('a school with an http: origin', () => {
  const http = (): string[] => schools.faults.map(({ message }) => message);

  test('with NODE_ENV=production is one fault for each origin', async () => {
    await start(0);
    process.env['NODE_ENV'] = 'production';
    for (const origin of [schools.harbour, schools.summit, schools.harbour, schools.summit]) {
      expect((await fetch(`${origin}${discovery}`)).status).toBe(200);
    }
    expect(http()).toEqual([
      `the school ${schools.harbour} is served over http: in production`,
      `the school ${schools.summit} is served over http: in production`,
    ]);
    expect(String(schools.faults[0]?.cause)).toContain('serve the school over https:');
  });

  test.each([undefined, 'test', 'development'])('with NODE_ENV=%s is none', async (value) => {
    await start();
    if (value === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = value;
    await fetch(`${schools.harbour}${discovery}`);
    expect(http()).toEqual([]);
  });
});

test('a school with an https: origin in production is none', async () => {
  const origin = 'https://harbour.example';
  process.env['NODE_ENV'] = 'production';
  schools = await startSchools({
    platform: { findSite: () => harbourSite(origin) },
    app: (campus) => new Koa({ proxy: true }).use(campus.middleware()),
  });
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'harbour.example' };
  expect((await fetch(`${schools.harbour}${discovery}`, { headers })).status).toBe(200);
  expect(schools.faults).toEqual([]);
});
