import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import { features } from '../../lib/features/features.ts';
import { knownToClients, enabledBy } from '../../lib/core/enabled/enabled.ts';
import { textsFor, textsOf } from '../../lib/engine/engine-errors.ts';
import type { Store } from '../../lib/store.ts';
import { approve, askForDevice, type DeviceCodes, poll, startDevice, withDevices } from '../features/device/devices.ts';
import { resetClock, setClockAhead } from '../helpers/clock.ts';
import {
  authorize,
  authorizeUrl,
  type Changes,
  type Code,
  connect,
  exchange,
  getCode,
  type JsonResponse,
  memberApp,
  pkce,
  postForm,
  refresh,
  webMemberApp,
} from '../helpers/flow.ts';
import { redirectQuery } from '../helpers/responses.ts';
import { type Schools, type SchoolsOptions, startSchools } from '../helpers/schools.ts';
import { syncApp, withServices } from '../helpers/services.ts';
import { hoardingStore } from '../helpers/stores.ts';

let schools: Schools;
beforeEach(async () => {
  schools = await startSchools();
});
afterEach(async () => {
  resetClock();
  await schools.close();
});

async function restart(campus: SchoolsOptions['campus'] = {}): Promise<void> {
  await schools.close();
  schools = await startSchools({ campus });
}

const known = knownToClients(features);
const clearerTexts = { ...textsOf(known.grantTypes), ...textsFor(enabledBy(known), []) };

const app = webMemberApp;
const newCode = (): Promise<Code> => getCode(schools.browser('sam'), schools.harbour, app);
const newRefreshToken = async (): Promise<unknown> =>
  (await connect(schools.browser('sam'), schools.harbour, app)).body['refresh_token'];
const exchangeNew = async (changes: Changes): Promise<JsonResponse> => exchange(await newCode(), changes);
const refreshNew = async (changes: Changes): Promise<JsonResponse> =>
  refresh(schools.harbour, app, await newRefreshToken(), changes);
const removeSam = (): void => {
  delete schools.people['harbour']?.['sam'];
};

/** The grant ends after the engine has found the code. */
async function endedGrant(): Promise<JsonResponse> {
  const store = memoryStore();
  const find: Store['find'] = async (siteId, kind, id) => {
    const found = await store.find(siteId, kind, id);
    if (kind === 'AuthorizationCode') await store.revoke(siteId, { memberId: 'sam' });
    return found;
  };
  await restart({ store: { ...store, find } });
  return exchange(await newCode());
}

async function expiredGrant(): Promise<JsonResponse> {
  await restart({ store: hoardingStore(), lifetimes: { grant: 5 } });
  const code = await newCode();
  setClockAhead(6);
  return exchange(code);
}

async function silentRedirect(changes: Changes): Promise<{ body: Record<string, string> }> {
  const browser = schools.browser('sam');
  await authorize(browser, authorizeUrl(schools.harbour, app, pkce(), { scope: 'openid' }));
  const url = authorizeUrl(schools.harbour, app, pkce(), { prompt: 'none', ...changes });
  return { body: redirectQuery(await browser.fetch(url), app.redirectUri) };
}

/** A device that a person has allowed. */
async function newDevice(): Promise<DeviceCodes> {
  await restart(withDevices);
  const codes = await startDevice(schools.harbour);
  await approve(schools.browser('sam'), codes);
  return codes;
}

/** The client proves who it is in the header. */
async function exchangeWithBasic(credentials: string, changes: Changes = {}): Promise<JsonResponse> {
  await restart({ clientAuthentication: ['client_secret_basic'] });
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  const form = { grant_type: 'authorization_code', code: 'A', ...changes };
  return postForm(`${schools.harbour}/api/oauth/token`, form, { authorization });
}

/** For each error text of the engine a request that leads to it. */
const requests: Record<string, () => Promise<Pick<JsonResponse, 'body'>>> = {
  'authorization code not found': () => exchangeNew({ code: 'A'.repeat(43) }),
  'authorization code is expired': async () => {
    await restart({ store: hoardingStore() });
    const code = await newCode();
    setClockAhead(61);
    return exchange(code);
  },
  'authorization code already consumed': async () => {
    const code = await newCode();
    await exchange(code);
    setClockAhead(3);
    return exchange(code);
  },
  'authorization code invalid (referenced account not found)': async () => {
    const code = await newCode();
    removeSam();
    return exchange(code);
  },
  'device code not found': async () => poll({ ...(await newDevice()), deviceCode: 'A'.repeat(43) }),
  'device code already consumed': async () => {
    const codes = await newDevice();
    await poll(codes);
    setClockAhead(3);
    return poll(codes);
  },
  'device code invalid (referenced account not found)': async () => {
    const codes = await newDevice();
    removeSam();
    return poll(codes);
  },
  'client mismatch': async () => exchange({ ...(await newCode()), client: memberApp }),
  'code_verifier does not match code_challenge': () => exchangeNew({ code_verifier: pkce().verifier }),
  'code_verifier must be provided': () => exchangeNew({ code_verifier: undefined }),
  'grant not found': endedGrant,
  'grant is expired': expiredGrant,
  'refresh token not found': () => refreshNew({ refresh_token: 'A'.repeat(43) }),
  'refresh token is expired': async () => {
    // A token says itself when it expires, and is unknown from then on. This one expires while the store looks for it.
    const store = hoardingStore();
    const find: Store['find'] = (siteId, kind, ...more) => {
      if (kind === 'RefreshToken') setClockAhead(6);
      return store.find(siteId, kind, ...more);
    };
    await restart({ store: { ...store, find }, lifetimes: { refreshToken: 5 } });
    return refresh(schools.harbour, app, await newRefreshToken());
  },
  'refresh token already used': async () => {
    const token = await newRefreshToken();
    await refresh(schools.harbour, app, token);
    setClockAhead(31);
    return refresh(schools.harbour, app, token);
  },
  'refresh token invalid (referenced account not found)': async () => {
    const token = await newRefreshToken();
    removeSam();
    return refresh(schools.harbour, app, token);
  },
  'refresh token missing requested scope': () => refreshNew({ scope: 'openid account:write' }),
  'refresh token missing requested scopes': () => refreshNew({ scope: 'openid account:write courses:read' }),
  'unsupported grant_type requested': () => exchangeNew({ grant_type: 'password' }),
  'requested grant type is not allowed for this client': async () => {
    await restart(withServices);
    return refresh(schools.harbour, syncApp, 'x');
  },
  'urn:ietf:params:oauth:grant-type:device_code is not allowed for this client': async () => {
    await restart(withDevices);
    return askForDevice(schools.harbour, memberApp);
  },
  'requested scopes not granted': () => silentRedirect({}),
  'could not validate id_token_hint': () => silentRedirect({ scope: 'openid', id_token_hint: 'abc' }),
  'Authorization Server policy requires PKCE to be used for this request': () =>
    silentRedirect({ code_challenge: undefined, code_challenge_method: undefined }),
  'code_challenge must be provided with code_challenge_method': () => silentRedirect({ code_challenge: undefined }),
  'code_challenge_method must be provided': () => silentRedirect({ code_challenge_method: undefined }),
  'not supported value of code_challenge_method': () => silentRedirect({ code_challenge_method: 'plain' }),
  'unsupported prompt value requested': () => silentRedirect({ prompt: 'create' }),
  'unsupported response_mode requested': () => silentRedirect({ response_mode: 'fragment' }),
  'invalid max_age parameter value': () => silentRedirect({ max_age: 'x' }),
  'resource indicator is missing, or unknown': () => exchangeNew({ resource: 'https://evil.example' }),
  'no client authentication mechanism provided': () => exchangeNew({ client_id: undefined, client_secret: undefined }),
  'client not found': () => exchangeNew({ client_id: 'nobody' }),
  'invalid secret provided': () => exchangeNew({ client_secret: 'guess' }),
  'client_id mismatch': () => exchangeWithBasic(`${app.id}:${app.secret}`, { client_id: memberApp.id }),
  'client authentication must only be provided using one mechanism': () =>
    exchangeWithBasic(`${app.id}:${app.secret}`, { client_secret: app.secret }),
  'invalid authorization header value format': () => exchangeWithBasic('no colon'),
  'client_id and client_secret in the authorization header are not properly encoded': () => exchangeWithBasic('a:%'),
  'client_secret must be provided in the Authorization header': () => exchangeWithBasic(`${app.id}:`),
  'the provided authentication mechanism does not match the registered client authentication method': () =>
    exchangeNew({ client_secret: undefined }),
};

test.each(Object.keys(clearerTexts))('a request leads to the engine’s error text "%s"', async (engineText) => {
  const request = requests[engineText];
  if (!request) throw new Error('no request in the table leads to this text; add one, or remove the text');
  const { body } = await request();
  expect(body['error_description']).toBe(clearerTexts[engineText]);
});

test('the table has no request for a text that is gone', () => {
  expect(Object.keys(requests).filter((engineText) => !Object.hasOwn(clearerTexts, engineText))).toEqual([]);
});
