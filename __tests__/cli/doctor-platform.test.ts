import { afterEach, expect, test } from '@jest/globals';
import type { Check } from '../../lib/cli/doctor/exam.ts';
import { defineTool } from '../../lib/mcp/index.ts';
import {
  knownDocuments,
  loopbackClients,
  metadataDocuments,
  vendorPlatforms,
  wellKnownVendors,
} from '../../policies/index.ts';
import { movingSchool } from '../helpers/moving.ts';
import { type Schools, type SchoolsOptions, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';
import { breakableStore } from '../helpers/stores.ts';
import { campusOidc } from './command.ts';

// What the platform or the school decides is no fault of a proxy, and what a dry run does not try it does not call right.

const tool = defineTool({
  name: 'hello',
  description: 'Says hello.',
  access: { scopes: ['courses:read'] },
  run: () => 'hello',
});
const vendors = vendorPlatforms(wellKnownVendors);

let schools: Schools;
afterEach(() => schools.close());

async function start({ campus, ...options }: SchoolsOptions = {}): Promise<void> {
  const registration = [vendors, loopbackClients()];
  schools = await startSchools({ mcp: { tools: [tool] }, campus: { registration, ...campus }, ...options });
}

interface Examined {
  readonly code: number | null;
  readonly out: string;
  readonly checks: readonly Check[];
  /** The checks whose id begins so. */
  readonly about: (id: string) => readonly Check[];
}

async function doctor(...options: string[]): Promise<Examined> {
  const { code, out } = await campusOidc(['doctor', schools.harbour, ...options]);
  const asJson = await campusOidc(['doctor', schools.harbour, '--json', ...options]);
  const checks: Check[] = JSON.parse(asJson.out).checks;
  return { code, out, checks, about: (id) => checks.filter((each) => each.id.startsWith(id)) };
}

const wrong = ({ checks }: Examined): readonly Check[] => checks.filter(({ mark }) => mark === 'error');

test('the school has moved: it is inspected where it is now', async () => {
  const moving = movingSchool();
  await start({ wrapPlatform: moving.wrapPlatform, campus: { siteCache: moving.siteCache } });
  moving.move();
  const examined = await doctor();
  expect(wrong(examined)).toHaveLength(2);
  for (const { fix } of wrong(examined)) expect(fix).toContain(`run campus-oidc doctor ${schools.summit}`);
});

test('there is no school at the origin: the platform returns none', async () => {
  await start({ wrapPlatform: (platform) => ({ ...platform, findSite: () => undefined }) });
  const examined = await doctor();
  expect(wrong(examined)).toHaveLength(2);
  for (const { fix } of wrong(examined))
    expect(fix).toMatch(/^return the school of this origin from platform\.findSite/);
});

const faultFix =
  'the platform or the store fails: read the "fault" events of the campus for the cause, and run campus-oidc diagnose';

test('the platform fails, and campus says so', async () => {
  const findSite = () => Promise.reject(new Error('the database is gone'));
  await start({ wrapPlatform: (platform) => ({ ...platform, findSite }) });
  const examined = await doctor();
  expect(wrong(examined)).toHaveLength(2);
  for (const { text, fix } of wrong(examined)) {
    expect(text).toContain('it answers 503 temporarily_unavailable');
    expect(fix).toBe(faultFix);
  }
});

test('the store fails, and campus says so at each endpoint that needs it', async () => {
  const broken = breakableStore();
  await start({ campus: { store: broken.store } });
  broken.break('find', 'save', 'list', 'redeem', 'consumeQuota', 'grantIds');
  const examined = await doctor();
  const failing = wrong(examined).filter(({ text }) => text.includes('503'));
  expect(failing.length).toBeGreaterThan(4);
  for (const { text, fix } of failing) {
    expect(text).toContain('it answers 503 temporarily_unavailable');
    expect(fix).toBe(faultFix);
  }
});

test('a policy admits no apps on this machine: that is its decision', async () => {
  await start({ campus: { registration: [vendors] } });
  const examined = await doctor('--write');
  expect([examined.code, wrong(examined)]).toEqual([0, []]);
  expect(examined.about('registration')).toMatchObject([
    {
      mark: 'info',
      text: expect.stringMatching(/^an app on this machine cannot register: invalid_client_metadata \(client_name/),
      fix: expect.stringContaining('campus.explainRegistration'),
    },
  ]);
  expect(examined.about('processes-store')).toMatchObject([{ mark: 'skipped' }]);
});

test('the school blocks apps, by their documents and their registrations: that is its decision', async () => {
  await start({ campus: { metadataDocuments: metadataDocuments({ documents: knownDocuments }) } });
  for (const app of ['claude', 'cursor']) await schools.campus.apps.set(siteOf(schools), app, { access: 'blocked' });
  const dry = await doctor();
  expect(dry.checks.filter(({ id, mark }) => id.startsWith('app ') && mark === 'ok')).toEqual([]);
  const written = await doctor('--write');
  expect(wrong(written)).toEqual([]);
  expect(written.about('app Claude.ai, document')).toMatchObject([
    {
      mark: 'info',
      text: expect.stringContaining('the authorization request was refused: invalid_client'),
      fix: expect.stringContaining('campus-oidc explain'),
    },
  ]);
  for (const { mark, text } of written.about('app Cursor')) {
    expect(mark).toBe('info');
    expect(text).toContain('registration was refused: invalid_client_metadata (this school has blocked the client');
  }
});

test('a host of documents does not answer, and their copies hide it', async () => {
  const testing = { resolve: () => Promise.reject(new Error('no name server')) };
  await start({ campus: { metadataDocuments: metadataDocuments({ documents: knownDocuments }), testing } });
  const { code, about } = await doctor('--write');
  expect(code).toBe(0);
  expect(about('app Claude.ai, document')).toMatchObject([
    {
      mark: 'info',
      text: 'Claude.ai, document: finds the sign-in page with a copy: the server cannot fetch https://claude.ai/oauth/mcp-oauth-client-metadata',
      fix: expect.stringContaining('let the server connect to claude.ai'),
    },
  ]);
});

test('a dry run says what it has not tried, and calls none of it right', async () => {
  await start();
  const { code, out, about, checks } = await doctor();
  expect(code).toBe(0);
  const apps = about('app ').filter(({ mark }) => mark !== 'info');
  expect(apps.length).toBeGreaterThan(10);
  for (const { mark, text } of apps) {
    expect(mark).toBe('skipped');
    expect(text).toMatch(/: finds the sign-in page; use --write to try the sign-in itself$/);
  }
  expect(about('processes-store')).toMatchObject([{ mark: 'skipped', text: expect.stringContaining('--write') }]);
  const skipped = checks.filter(({ mark }) => mark === 'skipped').length;
  expect(out).toMatch(new RegExp(`^\\d+ checks of ${schools.harbour}, no problems, ${skipped} not tried$`, 'm'));
  const written = await doctor('--write');
  expect(written.about('app ').filter(({ mark }) => mark === 'ok').length).toBeGreaterThan(10);
  expect(written.out).toMatch(/, no problems$/m);
});
