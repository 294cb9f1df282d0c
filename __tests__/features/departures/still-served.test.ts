import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Campus, Site } from '../../../lib/index.ts';
import { TemporarilyUnavailable } from '../../../lib/kernel/errors.ts';
import { connect, memberApp, userinfo } from '../../helpers/flow.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { siteOf } from '../../helpers/sites.ts';

let schools: Schools;
let site: Site;
let campus: Campus;
/** What the platform returns, by origin; `undefined` is as in the other tests. */
let findSite: ((origin: string) => Promise<Site | undefined>) | undefined;

beforeEach(async () => {
  findSite = undefined;
  schools = await startSchools({
    wrapPlatform: (platform) => ({
      ...platform,
      findSite: async (origin) => (findSite ? findSite(origin) : platform.findSite(origin)),
    }),
  });
  ({ campus } = schools);
  site = siteOf(schools, 'harbour');
});
afterEach(() => schools.close());

const served = (origin: string) =>
  `sites.remove: platform.findSite still returns the school harbour at ${origin}; take it out and wait a minute, or pass { stillServed: true }`;

test('a school that is still served is not removed', async () => {
  const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp);
  await expect(campus.sites.remove(site)).rejects.toThrow(new TypeError(served(site.origin)));
  await expect(campus.sites.remove(site, { removed: {}, next: 'AccessToken' })).rejects.toThrow(TypeError);
  expect((await userinfo(schools.harbour, body['access_token'])).status).toBe(200);
});

test('with stillServed it is, in all steps', async () => {
  await connect(schools.browser('sam'), schools.harbour, memberApp);
  let step = await campus.sites.remove(site, { stillServed: true });
  while (step.next !== undefined) step = await campus.sites.remove(site, step);
  expect(step).toMatchObject({ removed: { Grant: 1 }, stillServed: true });
});

test('the platform is asked anew, not the process', async () => {
  await connect(schools.browser('sam'), schools.harbour, memberApp);
  findSite = async () => undefined;
  expect(await campus.sites.remove(site)).toMatchObject({ removed: { Grant: 1 } });
});

test('a school that is served at an earlier or a later origin is not removed either', async () => {
  const before = 'https://old.example';
  const moved = { ...site, formerOrigins: [before] };
  findSite = async (origin) => ([site.origin, before].includes(origin) ? moved : undefined);
  await expect(campus.sites.remove({ ...site, origin: before })).rejects.toThrow(served(before));
  findSite = async (origin) => (origin === site.origin ? site : undefined);
  expect((await fetch(`${site.origin}/.well-known/openid-configuration`)).status).toBe(200);
  await expect(campus.sites.remove({ ...site, origin: before })).rejects.toThrow(served(site.origin));
});

test('another school that has the origin by now is none of its business', async () => {
  findSite = async () => ({ ...site, id: 'summit' });
  expect(await campus.sites.remove(site)).toMatchObject({ removed: {} });
});

test('a platform that fails does not let a school go', async () => {
  findSite = () => Promise.reject(new Error('the database is gone'));
  await expect(campus.sites.remove(site)).rejects.toThrow(TemporarilyUnavailable);
});
