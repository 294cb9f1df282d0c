import { afterEach, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import type { CampusOptions, Site } from '../../lib/index.ts';
import { loopbackClients } from '../../policies/index.ts';
import { connect, jsonResponse, refresh, webMemberApp } from '../helpers/flow.ts';
import { expectError } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { serviceToken, withServices } from '../helpers/services.ts';
import { harbourSite } from '../helpers/sites.ts';

let schools: Schools;
afterEach(() => schools.close());

async function start(campus: Partial<CampusOptions>): Promise<void> {
  schools = await startSchools({ campus, app: (its) => new Koa({ proxy: true }).use(its.middleware()) });
}

const day = 24 * 60 * 60;
const site = (): Site => harbourSite(schools.harbour);
const text = async (path: string): Promise<string> => (await fetch(path)).text();

describe('lifetimes as a function of the site', () => {
  test('each school has its own, in tokens, documents and lists; what is left out is the default', async () => {
    const asked: string[] = [];
    await start({
      lifetimes: ({ id }) => {
        asked.push(id);
        return id === 'harbour' ? { accessToken: 300, grant: day } : undefined;
      },
    });
    const { harbour, summit } = schools;
    const [first, second] = [
      await connect(schools.browser('sam'), harbour, webMemberApp),
      await connect(schools.browser('sam'), summit, webMemberApp),
    ];
    expect([first.body['expires_in'], second.body['expires_in']]).toEqual([300, 7200]);
    expect((await refresh(harbour, webMemberApp, first.body['refresh_token'])).body['expires_in']).toBe(300);
    expect(await text(`${harbour}/auth.md`)).toContain('(5 minutes)');
    expect(await text(`${summit}/auth.md`)).toContain('(2 hours)');
    expect(await text(`${harbour}/openapi.json`)).toContain('"expires_in":300');
    // Many requests, one call for each look-up of a school.
    expect(asked).toEqual(['harbour', 'summit']);
    const [connection] = await schools.campus.connections.list(site(), 'sam');
    expect((connection?.allowedAt ?? 0) - (connection?.createdAt ?? 0)).toBeLessThan(60);
  });

  test('a change has an effect on what is issued from then on, and consents keep their date', async () => {
    let grant = 100 * day;
    await start({ siteCache: 0, lifetimes: () => ({ grant }) });
    const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    const [before] = await schools.campus.connections.list(site(), 'sam');
    grant = 10 * day;
    expect((await refresh(schools.harbour, webMemberApp, body['refresh_token'])).status).toBe(200);
    const [after] = await schools.campus.connections.list(site(), 'sam');
    expect(after?.allowedAt).toBe(before?.allowedAt);
  });
});

describe('limits as a function of the site', () => {
  const register = async (origin: string, address = '192.0.2.1'): Promise<number> => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
    const body = JSON.stringify({ redirect_uris: ['http://127.0.0.1/'] });
    return (await fetch(`${origin}/api/oauth/register`, { method: 'POST', headers, body })).status;
  };

  test('each school has its own; one that has fewer is not used up at another', async () => {
    await start({
      registration: [loopbackClients()],
      limits: ({ id }) => ({ registrations: { perAddress: id === 'harbour' ? 3 : 1, perSite: 100 } }),
    });
    const statuses = async (origin: string): Promise<number[]> => {
      const all: number[] = [];
      for (let i = 0; i < 4; i += 1) all.push(await register(origin));
      return all;
    };
    expect(await statuses(schools.harbour)).toEqual([201, 201, 201, 429]);
    expect(await statuses(schools.summit)).toEqual([201, 429, 429, 429]);
    expect(await text(`${schools.harbour}/auth.md`)).toContain('3 per IP address, 100 in total');
  });

  test('false removes those of one school', async () => {
    await start({
      registration: [loopbackClients()],
      limits: ({ id }) => id === 'summit' && { registrations: { perAddress: 0, perSite: 0 } },
    });
    expect([await register(schools.harbour), await register(schools.summit)]).toEqual([201, 429]);
    expect(await text(`${schools.harbour}/auth.md`)).toContain('There are no request limits.');
    expect(await text(`${schools.summit}/auth.md`)).toContain('limit per hour');
  });
});

test('services have the lifetimes and limits of their school', async () => {
  await start({
    ...withServices,
    lifetimes: ({ id }) => ({ accessToken: id === 'harbour' ? 300 : 600 }),
    limits: ({ id }) => ({ refreshes: { perFamily: id === 'harbour' ? 1 : 9 } }),
  });
  const { status, body } = await serviceToken(schools.harbour);
  expect([status, body['expires_in']]).toEqual([200, 300]);
  expectError(await serviceToken(schools.harbour), 429, 'slow_down');
});

describe('what the function returns wrong is a fault', () => {
  test.each<[string, object, string]>([
    [
      'a value out of range',
      { lifetimes: () => ({ accessToken: 0 }) },
      'lifetimes("harbour") returned accessToken: 0; it must be a whole number of seconds, at least 1 and at most 86400',
    ],
    [
      'a misspelt name',
      { lifetimes: () => ({ acessToken: 60 }) },
      'lifetimes("harbour") returned acessToken: 60; it must have no members but authorizationCode, accessToken,',
    ],
    [
      'a promise',
      { lifetimes: async () => ({}) },
      'lifetimes("harbour") returned an instance of Promise; it must be a value, not a promise; fetch it beforehand',
    ],
    ['true', { limits: () => true }, 'limits("harbour") returned true; it must be an object, or false'],
    [
      'an error',
      {
        limits: () => {
          throw new Error('no plan');
        },
      },
      'no plan',
    ],
  ])('%s', async (_what, options, cause) => {
    await start({ ...options });
    const form = { method: 'POST', body: new URLSearchParams({ grant_type: 'refresh_token' }) };
    const [token, guide] = [
      await jsonResponse(await fetch(`${schools.harbour}/api/oauth/token`, form)),
      await jsonResponse(await fetch(`${schools.harbour}/openapi.json`)),
    ];
    expectError(guide, 503, 'temporarily_unavailable');
    if ('lifetimes' in options) expectError(token, 503, 'temporarily_unavailable');
    const [fault] = schools.faults;
    expect(fault).toMatchObject({ cause: expect.objectContaining({ message: expect.stringContaining(cause) }) });
  });
});
