import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { dpop } from '../../../lib/dpop.ts';
import type { AuditEvent, StaticClient } from '../../../lib/index.ts';
import { loopbackClients } from '../../../policies/index.ts';
import { resetClock, stopClock } from '../../helpers/clock.ts';
import {
  type Changes,
  type Code,
  exchange,
  getCode,
  introspect,
  type JsonResponse,
  jsonResponse,
  memberApp,
  postForm,
  refresh,
  revokeToken,
  type TestClient,
  webMemberApp,
} from '../../helpers/flow.ts';
import { rawRequest } from '../../helpers/raw-http.ts';
import { expectError } from '../../helpers/responses.ts';
import { type Schools, type SchoolsOptions, startSchools } from '../../helpers/schools.ts';
import { serviceToken, syncApp, withServices } from '../../helpers/services.ts';
import { countedStore } from '../../helpers/stores.ts';
import { ath, holder, type Holder, type ProofChanges, proofOf } from './proofs.ts';

const strict = {
  clientId: 'strict-app',
  clientName: 'Strict App',
  audience: 'member',
  redirectUris: ['http://127.0.0.1/strict'],
  scopes: ['openid', 'account:read'],
  dpop: 'required',
} as const satisfies StaticClient;
const strictApp: TestClient = {
  id: 'strict-app',
  redirectUri: 'http://127.0.0.1/strict',
  scope: 'openid account:read',
};
const gateway: TestClient = { id: 'gateway', redirectUri: '', secret: 'gateway-secret', scope: '' };

const { store, calls } = countedStore();
const campus = {
  ...withServices,
  store,
  clients: [...withServices.clients, strict],
  registration: [loopbackClients()],
  dpop: dpop(),
};
const app: SchoolsOptions['app'] = (made) => {
  const host = new Koa();
  const guards = {
    '/own': made.requireAccess(),
    '/bound': made.requireAccess({ bound: true }),
    '/inner': made.requireAccess({ bound: true, address: ({ target }, { origin }) => `${origin}/api${target}` }),
  };
  host.use(made.middleware());
  host.use(async (ctx, next) => {
    const guard = Object.entries(guards).find(([path]) => path === ctx.path)?.[1];
    await guard?.(ctx, async () => void (ctx.body = { ok: true }));
    await next();
  });
  return host;
};

const [own, other, edwards] = [holder(), holder(), holder('EdDSA')];
const events: AuditEvent[] = [];
let schools: Schools;
let bound: JsonResponse['body'];
let token: string;
beforeAll(async () => {
  schools = await startSchools({ campus, app, memberApi: {}, mcp: {} });
  schools.campus.events.on('audit', (event) => events.push(event));
  ({ body: bound } = await redeem(await newCode(), own));
  token = String(bound['access_token']);
});
afterEach(resetClock);
afterAll(() => schools.close());

const newCode = (client = memberApp, changes: Changes = {}): Promise<Code> =>
  getCode(schools.browser('sam'), schools.harbour, client, changes);
const atToken = (by: Holder | undefined, changes?: ProofChanges): Record<string, string> =>
  by ? { DPoP: proofOf(by, 'POST', `${schools.harbour}/api/oauth/token`, changes) } : {};

/** Redeems a code with a proof, or without one. */
function redeem(code: Code, by: Holder | undefined, headers = atToken(by)): Promise<JsonResponse> {
  return exchange(code, {}, headers);
}

function refreshWith(
  refreshToken: unknown,
  by: Holder | undefined,
  { client = memberApp, headers = atToken(by) } = {},
): Promise<JsonResponse> {
  return refresh(schools.harbour, client, refreshToken, {}, headers);
}

interface Call extends ProofChanges {
  readonly method?: string;
  readonly path?: string;
  readonly by?: Holder;
  readonly scheme?: string;
  readonly proof?: string | undefined;
  readonly htm?: string;
  readonly htu?: string;
  readonly sent?: string;
}

/** Calls with the bound token, and a proof that is right unless it says otherwise. */
async function call({ method = 'GET', path = '/api/oauth/userinfo', ...given }: Call = {}): Promise<JsonResponse> {
  const { by = own, scheme = 'DPoP', htm = method, htu = `${schools.harbour}${path}`, sent = token } = given;
  const claims = { ath: ath(sent), ...given.claims };
  const made = 'proof' in given ? given.proof : proofOf(by, htm, htu, { ...given, claims });
  const headers = { authorization: `${scheme} ${sent}`, ...(made !== undefined && { DPoP: made }) };
  return jsonResponse(await fetch(`${schools.harbour}${path}`, { method, headers }));
}

const challenge = ({ headers }: JsonResponse): string => headers.get('www-authenticate') ?? '';

test('an access token is bound to the key of the proof, and works with a proof of it', async () => {
  expect(bound).toMatchObject({ token_type: 'DPoP', scope: memberApp.scope });
  expect(await call()).toMatchObject({ status: 200, body: { sub: 'sam' } });
  const { body: introspected } = await introspect(schools.harbour, gateway, token);
  expect(introspected).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt: own.jkt } });
});

test('an Ed25519 key does, too', async () => {
  const { body } = await redeem(await newCode(), edwards);
  expect(await call({ by: edwards, sent: String(body['access_token']) })).toMatchObject({ status: 200 });
});

test('a token of a service is bound as well', async () => {
  const { body } = await serviceToken(schools.harbour, syncApp, {}, atToken(own));
  expect(body).toMatchObject({ token_type: 'DPoP' });
  const sent = String(body['access_token']);
  await expect(schools.campus.verify(schools.harbour, sent, { audience: ['service'] })).rejects.toThrow('bound');
  const htu = `${schools.harbour}/jobs`;
  const proved = { proof: proofOf(own, 'GET', htu, { claims: { ath: ath(sent) } }), method: 'GET', address: htu };
  const verified = await schools.campus.verify(schools.harbour, sent, { audience: ['service'], ...proved });
  expect(verified.clientId).toBe('sync');
});

describe('the same address in another spelling is accepted', () => {
  test.each([
    ['with a query', (origin: string) => `${origin}/api/oauth/userinfo?page=2`],
    ['with a fragment', (origin: string) => `${origin}/api/oauth/userinfo#top`],
    ['with capitals', (origin: string) => origin.replace('localhost', 'LOCALHOST') + '/api/oauth/userinfo'],
    ['escaped', (origin: string) => `${origin}/api/oauth/%75serinfo`],
  ])('%s', async (_name, htu) => expect(await call({ htu: htu(schools.harbour) })).toMatchObject({ status: 200 }));
});

describe('a wrong proof is refused', () => {
  const long = 'x'.repeat(6000);
  const offCurve = { ...own.jwk, y: own.jwk['x'] };
  const secretKey = { alg: 'HS256', jwk: { kty: 'oct', k: 'secret' } };
  test.each<[string, Call, string]>([
    ['for another method', { htm: 'POST' }, 'htm of the DPoP proof must be GET'],
    ['for another path', { htu: 'http://localhost/api/oauth/other' }, 'htu of the DPoP proof must be http'],
    ['for another scheme', { htu: 'https://localhost/api/oauth/userinfo' }, 'htu of'],
    ['for an address with a password', { htu: 'http://a:b@localhost/api/oauth/userinfo' }, 'htu of'],
    ['without the hash of the token', { claims: { ath: undefined } }, 'ath of'],
    ['with the hash of another token', { claims: { ath: ath('another') } }, 'ath of'],
    ['without jti', { claims: { jti: undefined } }, 'jti of'],
    ['with a long jti', { claims: { jti: 'x'.repeat(300) } }, 'jti of'],
    ['without iat', { claims: { iat: undefined } }, 'iat of'],
    ['with a nonce that is no text', { claims: { nonce: 7 } }, 'nonce of'],
    ['that has expired', { claims: { exp: 1 } }, 'has expired'],
    ['of another type', { header: { typ: 'JWT' } }, 'typ of'],
    ['with crit', { header: { crit: ['exp'] } }, 'crit'],
    ['without a signature', { header: { alg: 'none' } }, 'alg of'],
    ['with a secret', { header: secretKey }, 'alg of'],
    ['with a private key', { header: { jwk: { ...own.jwk, d: own.jwk['x'] } } }, 'private part'],
    ['without a key', { header: { jwk: undefined } }, 'jwk of'],
    ['with a point that is not on the curve', { header: { jwk: offCurve } }, 'key'],
    ['of 6 kB', { proof: long }, 'must be one JWT'],
    ['that is missing', { proof: undefined }, 'one DPoP header'],
    ['with the key of the victim and another signature', { signer: other }, 'not signed with the key'],
  ])('%s', async (_name, given, words) => {
    const response = await call(given);
    // The key of one of them differs, so its token is another's.
    const error = given.header?.['jwk'] === offCurve ? 'invalid_token' : 'invalid_dpop_proof';
    expectError(response, 401, error);
    expect(response.body['error_description']).toContain(words);
    expect(challenge(response)).toMatch(
      /^DPoP error="[a-z_]+", .*resource_metadata="[^"]+", algs="ES256 EdDSA Ed25519"$/,
    );
  });

  test('of another key, which is reported', async () => {
    events.splice(0);
    expectError(await call({ by: other }), 401, 'invalid_token');
    expect(events).toMatchObject([{ action: 'token.rejected', reason: 'key_not_proven', memberId: 'sam' }]);
  });

  test('that was used before, however its signature is written', async () => {
    const htu = `${schools.harbour}/api/oauth/userinfo`;
    const proof = proofOf(own, 'GET', htu, { claims: { ath: ath(token) } });
    expect(await call({ proof })).toMatchObject({ status: 200 });
    const again = await call({ proof });
    expectError(again, 401, 'invalid_dpop_proof');
    expect(again.body['error_description']).toContain('used before');
    // The last character has four bits that nobody reads.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const respelt = proof.slice(0, -1) + alphabet[alphabet.indexOf(proof.at(-1) ?? '') ^ 1];
    expectError(await call({ proof: respelt }), 401, 'invalid_dpop_proof');
  });

  test('two of them', async () => {
    const htu = `${schools.harbour}/api/oauth/userinfo`;
    const proofs = [0, 1].map(() => `DPoP: ${proofOf(own, 'GET', htu, { claims: { ath: ath(token) } })}`);
    const lines = ['GET /api/oauth/userinfo HTTP/1.1', `Host: ${new URL(htu).host}`, 'Connection: close'];
    const sent = [...lines, `Authorization: DPoP ${token}`, ...proofs];
    expect(await rawRequest(Number(new URL(htu).port), sent)).toMatch(
      /^HTTP\/1\.1 401 [^]*there must be one DPoP header/,
    );
  });

  test('for a path that looks like another host', async () => {
    const { host, port } = new URL(schools.harbour);
    const proof = proofOf(own, 'GET', 'http://evil.example/own', { claims: { ath: ath(token) } });
    const lines = ['GET //evil.example/own HTTP/1.1', `Host: ${host}`, 'Connection: close'];
    const response = await rawRequest(Number(port), [...lines, `Authorization: DPoP ${token}`, `DPoP: ${proof}`]);
    expect(response).not.toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('a bound token as a bearer token is refused', () => {
  const places = ['/api/oauth/userinfo', '/member/graphql', '/mcp', '/mcp/member', '/own', '/bound'];
  test.each(places)('at %s, with a proof and without', async (path) => {
    const method = path === '/own' || path === '/bound' || path.startsWith('/api') ? 'GET' : 'POST';
    for (const proof of [
      undefined,
      proofOf(own, method, `${schools.harbour}${path}`, { claims: { ath: ath(token) } }),
    ]) {
      const response = await call({ path, method, scheme: 'Bearer', proof });
      expectError(response, 401, 'invalid_token');
      expect(challenge(response)).toMatch(/^DPoP error="invalid_token"/);
    }
  });

  test('by verify, which takes the three parts of a proof together', async () => {
    const { verify } = schools.campus;
    await expect(verify(schools.harbour, token)).rejects.toMatchObject({ error: 'invalid_token' });
    const parts = { proof: 'x', method: 'GET' };
    // @ts-expect-error: the address is missing
    await expect(verify(schools.harbour, token, parts)).rejects.toThrow(
      'verify.accepted must have proof, method and address',
    );
  });

  test('when the feature is off again', async () => {
    const off = await startSchools({ campus: { ...withServices, store } });
    const site = { id: 'harbour', origin: schools.harbour, name: 'Harbour School', connectionsEnabled: true };
    await expect(off.campus.verify(site, token)).rejects.toThrow('no proofs are accepted');
    await off.close();
  });
});

describe('a token that is not bound', () => {
  let bearer: string;
  beforeAll(async () => {
    const { body } = await redeem(await newCode(), undefined);
    expect(body).toMatchObject({ token_type: 'Bearer' });
    bearer = String(body['access_token']);
  });

  test('is a bearer token as before; a proof beside it is not looked at', async () => {
    expect(await call({ scheme: 'Bearer', sent: bearer, proof: 'anything' })).toMatchObject({ status: 200 });
  });

  test('is refused with the scheme DPoP', async () => {
    expectError(await call({ sent: bearer }), 401, 'invalid_token');
  });

  test('is refused by a route that takes bound tokens alone', async () => {
    const response = await call({ path: '/bound', sent: bearer, scheme: 'Bearer', proof: undefined });
    expectError(response, 401, 'invalid_token');
    expect(challenge(response)).toMatch(/^DPoP error="invalid_token"/);
    expect(await call({ path: '/bound' })).toMatchObject({ status: 200, body: { ok: true } });
  });
});

test('a challenge names DPoP after Bearer, where apps look first', async () => {
  const response = await jsonResponse(await fetch(`${schools.harbour}/api/oauth/userinfo`));
  expect(challenge(response)).toMatch(/^Bearer error="invalid_token", .*, DPoP algs="ES256 EdDSA Ed25519"$/);
  const none = await jsonResponse(await fetch(`${schools.harbour}/bound`));
  expect(challenge(none)).toMatch(
    /^DPoP error="invalid_token", error_description="[^"]+send Authorization: DPoP <token>"/,
  );
});

test('behind a proxy that rewrites paths, the address option says what was called', async () => {
  expect(await call({ path: '/inner', htu: `${schools.harbour}/api/inner` })).toMatchObject({ status: 200 });
  expectError(await call({ path: '/inner' }), 401, 'invalid_dpop_proof');
});

test('unknown tokens and stolen ones cause no write', async () => {
  const before = calls.length;
  await call({ sent: 'unknown' });
  await call({ by: other });
  await call({ signer: other });
  expect(calls.slice(before).filter((name) => name !== 'find')).toEqual([]);
});

describe('clocks', () => {
  test.each([-60, 60])('of a client that differs by %d seconds', async (seconds) => {
    const iat = Math.floor(Date.now() / 1000) + seconds;
    const response = await call({ claims: { iat } });
    expect(response).toMatchObject({ status: 200 });
    expect(response.headers.get('dpop-nonce')).toBeNull();
  });

  test.each([-301, 3600])('of a client that differs by %d seconds are cured by a nonce', async (seconds) => {
    const iat = Math.floor(Date.now() / 1000) + seconds;
    const asked = await call({ claims: { iat } });
    expectError(asked, 401, 'use_dpop_nonce');
    const nonce = asked.headers.get('dpop-nonce');
    expect(asked.headers.get('access-control-expose-headers')).toContain('DPoP-Nonce');
    expect(await call({ claims: { iat, nonce } })).toMatchObject({ status: 200 });
  });

  test('a proof that was made ahead and used is not good for a second use later', async () => {
    const tick = stopClock();
    const iat = Math.floor(Date.now() / 1000) + 295;
    const proof = proofOf(own, 'GET', `${schools.harbour}/api/oauth/userinfo`, { claims: { iat, ath: ath(token) } });
    expect(await call({ proof })).toMatchObject({ status: 200 });
    tick(301);
    expectError(await call({ proof }), 401, 'invalid_dpop_proof');
  });

  test('a nonce of five minutes ago is refused with a new one', async () => {
    const tick = stopClock();
    const old = (await call({ claims: { iat: 0 } })).headers.get('dpop-nonce');
    tick(300);
    const response = await call({ claims: { nonce: old } });
    expectError(response, 401, 'use_dpop_nonce');
    expect(response.headers.get('dpop-nonce')).not.toBe(old);
    expectError(await call({ claims: { nonce: 'invented' } }), 401, 'use_dpop_nonce');
  });

  test('one nonce is good at the token endpoint and at resources', async () => {
    const iat = Math.floor(Date.now() / 1000) + 3600;
    const asked = await redeem(await newCode(), own, atToken(own, { claims: { iat } }));
    expectError(asked, 400, 'use_dpop_nonce');
    const nonce = asked.headers.get('dpop-nonce');
    expect(asked.headers.get('access-control-expose-headers')).toContain('DPoP-Nonce');
    expect(await call({ claims: { iat, nonce } })).toMatchObject({ status: 200 });
    const answer = await redeem(await newCode(), own, atToken(own, { claims: { iat, nonce } }));
    expect(answer).toMatchObject({ status: 200 });
  });
});

describe('at the token endpoint', () => {
  test('nobody is told a nonce who did not ask for one', async () => {
    const answer = await redeem(await newCode(), own);
    expect([answer.status, answer.headers.get('dpop-nonce')]).toEqual([200, null]);
    const refused = await refreshWith('unknown', own);
    expect([refused.status, refused.headers.get('dpop-nonce')]).toEqual([400, null]);
  });

  test('a proof is good once, and what it was used for a second time stays good', async () => {
    const headers = atToken(own);
    expect(await redeem(await newCode(), own, headers)).toMatchObject({ status: 200 });
    const code = await newCode();
    events.splice(0);
    expectError(await redeem(code, own, headers), 400, 'invalid_dpop_proof');
    expect(events).toMatchObject([{ action: 'token.refused', reason: 'invalid_dpop_proof', clientId: 'member-app' }]);
    expect(await redeem(code, own)).toMatchObject({ status: 200 });
  });

  test('a wrong proof is refused in words, and the code stays good', async () => {
    const code = await newCode();
    for (const changes of [
      { claims: { htm: 'GET' } },
      { claims: { htu: 'https://other.example' } },
      { signer: other },
    ]) {
      expectError(await redeem(code, own, atToken(own, changes)), 400, 'invalid_dpop_proof');
    }
    expect(await redeem(code, own)).toMatchObject({ status: 200 });
  });

  test('the refresh token of a public client takes proofs of its key alone', async () => {
    const { body } = await redeem(await newCode(), own);
    const { refresh_token: first } = body;
    for (const by of [undefined, other]) expectError(await refreshWith(first, by), 400, 'invalid_grant');
    const won = await refreshWith(first, own);
    expect(won).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
    // Within the grace window, too.
    for (const by of [undefined, other]) expectError(await refreshWith(first, by), 400, 'invalid_grant');
    expect((await refreshWith(first, own)).body).toEqual(won.body);
  });

  test('a confidential client gets the response of its refresh again with the same key alone', async () => {
    const { body } = await redeem(await newCode(webMemberApp), own);
    const { refresh_token: first } = body;
    const won = await refreshWith(first, own, { client: webMemberApp });
    expect(won).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
    for (const by of [undefined, other])
      expectError(await refreshWith(first, by, { client: webMemberApp }), 400, 'invalid_grant');
    expect((await refreshWith(first, own, { client: webMemberApp })).body).toEqual(won.body);
  });

  test('a code that dpop_jkt has bound takes proofs of its key alone', async () => {
    const code = await newCode(memberApp, { dpop_jkt: own.jkt });
    for (const by of [undefined, other]) expectError(await redeem(code, by), 400, 'invalid_grant');
    expect(await redeem(code, own)).toMatchObject({ status: 200 });
  });

  test('a wrong dpop_jkt is refused', async () => {
    await expect(newCode(memberApp, { dpop_jkt: 'short' })).rejects.toThrow('dpop_jkt');
  });

  test('a client with dpop: required gets tokens only with a proof', async () => {
    const code = await newCode(strictApp);
    expectError(await redeem(code, undefined), 400, 'invalid_grant');
    expect(await redeem(code, own)).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
  });

  test('revocation and introspection look at no proof', async () => {
    const { body } = await redeem(await newCode(), own);
    expect(await revokeToken(schools.harbour, memberApp, body['access_token'])).toMatchObject({ status: 200 });
  });
});

test('an application of a school can require proofs, and is refused while the feature is off', async () => {
  const { campus: made, harbour } = schools;
  const redirectUris = ['http://127.0.0.1/bound'];
  const input = { clientName: 'Bound', redirectUris, scopes: ['openid', 'account:read'], confidential: false };
  const { application } = await made.applications.create(harbour, { ...input, dpop: 'required' });
  expect(application).toMatchObject({ dpop: 'required' });
  const client = { id: application.clientId, redirectUri: 'http://127.0.0.1/bound', scope: 'openid account:read' };
  const code = await newCode(client);
  expectError(await redeem(code, undefined), 400, 'invalid_grant');
  expect(await redeem(code, own)).toMatchObject({ status: 200 });
  const off = await startSchools({ campus: { ...withServices, store } });
  const form = { grant_type: 'refresh_token', refresh_token: 'any', client_id: application.clientId };
  expectError(await postForm(`${off.harbour}/api/oauth/token`, form), 401, 'invalid_client');
  const found = await off.campus.diagnose();
  expect(found.map(({ id }) => id)).toContain('dpop-off');
  await off.close();
});

test('an app that registers itself can ask for bound tokens alone', async () => {
  const metadata = { client_name: 'Local', redirect_uris: ['http://127.0.0.1/local'], dpop_bound_access_tokens: true };
  const registered = await jsonResponse(
    await fetch(`${schools.harbour}/api/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(metadata),
    }),
  );
  expect(registered).toMatchObject({ status: 201, body: { dpop_bound_access_tokens: true } });
  const client = { id: String(registered.body['client_id']), redirectUri: 'http://127.0.0.1/local', scope: 'openid' };
  const code = await getCode(schools.browser('olivia'), schools.harbour, client);
  expectError(await redeem(code, undefined), 400, 'invalid_grant');
  expect(await redeem(code, own)).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
});

test('the metadata of the server and of each resource lists the algorithms', async () => {
  const algorithms = { dpop_signing_alg_values_supported: ['ES256', 'EdDSA', 'Ed25519'] };
  const at = async (path: string) => (await jsonResponse(await fetch(`${schools.harbour}/.well-known/${path}`))).body;
  expect(await at('oauth-authorization-server')).toMatchObject(algorithms);
  const ofResource = { ...algorithms, dpop_bound_access_tokens_required: false };
  expect(await at('oauth-protected-resource')).toMatchObject(ofResource);
  expect(await at('oauth-protected-resource/member/graphql')).toMatchObject(ofResource);
});

test('scripts may send proofs', async () => {
  const asked = { origin: 'https://app.example', 'access-control-request-method': 'GET' };
  const headers = { ...asked, 'access-control-request-headers': 'authorization,dpop' };
  for (const path of ['/api/oauth/userinfo', '/own']) {
    const response = await fetch(`${schools.harbour}${path}`, { method: 'OPTIONS', headers });
    expect([response.status, response.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'authorization,dpop',
    ]);
  }
});

describe('with nonces for all', () => {
  let all: Schools;
  beforeAll(async () => {
    all = await startSchools({ campus: { ...withServices, dpop: dpop({ nonces: 'required' }) } });
  });
  afterAll(() => all.close());

  test('a proof without one is refused at both endpoints, and each response has the newest', async () => {
    const htu = `${all.harbour}/api/oauth/token`;
    const ask = (claims: object) =>
      serviceToken(all.harbour, syncApp, {}, { DPoP: proofOf(own, 'POST', htu, { claims: { ...claims } }) });
    const asked = await ask({});
    expectError(asked, 400, 'use_dpop_nonce');
    const nonce = asked.headers.get('dpop-nonce');
    const { status, body } = await ask({ nonce });
    expect(status).toBe(200);
    const sent = String(body['access_token']);
    const verify = (claims: object) => {
      const proof = proofOf(own, 'GET', 'https://api.example/', { claims: { ath: ath(sent), ...claims } });
      const proved = { proof, method: 'GET', address: 'https://api.example/' };
      return all.campus.verify(all.harbour, sent, { audience: ['service'], ...proved });
    };
    await expect(verify({})).rejects.toMatchObject({ error: 'use_dpop_nonce', headers: { 'DPoP-Nonce': nonce } });
    expect((await verify({ nonce })).clientId).toBe('sync');
  });
});

describe('while the feature is off', () => {
  let off: Schools;
  beforeAll(async () => {
    off = await startSchools({ campus: withServices });
  });
  afterAll(() => off.close());

  test('no document names it, and headers are read as before', async () => {
    const at = async (path: string) => (await fetch(`${off.harbour}${path}`)).text();
    for (const path of ['oauth-authorization-server', 'openid-configuration', 'oauth-protected-resource'])
      expect(await at(`/.well-known/${path}`)).not.toMatch(/dpop/i);
    for (const path of ['/openapi.json', '/auth.md']) expect(await at(path)).not.toMatch(/dpop/i);
    const headers = { authorization: 'DPoP abc', DPoP: 'anything' };
    const refused = await jsonResponse(await fetch(`${off.harbour}/api/oauth/userinfo`, { headers }));
    const text = 'the Authorization header must read: Bearer <token>; a proxy may have changed it';
    expect(refused.body).toEqual({ error: 'invalid_token', error_description: text });
    const metadata = `${off.harbour}/.well-known/oauth-protected-resource`;
    expect(challenge(refused)).toBe(
      `Bearer error="invalid_token", error_description="${text}", scope="openid", resource_metadata="${metadata}"`,
    );
    const issued = await serviceToken(off.harbour, syncApp, {}, { DPoP: 'anything' });
    expect(issued.body).toMatchObject({ token_type: 'Bearer' });
    expect(issued.headers.get('dpop-nonce')).toBeNull();
  });

  test('what needs it is refused at startup', () => {
    expect(() => off.campus.requireAccess({ bound: true })).toThrow(
      'requireAccess.bound must not be true without the option dpop',
    );
    expect(() => off.campus.guard({ bound: true })).toThrow('guard.bound must not be true');
  });

  test('and a client in code that requires it', async () => {
    const clients = [...withServices.clients, strict];
    await expect(startSchools({ campus: { ...withServices, clients } })).rejects.toThrow(
      'dpop must not be set without the option dpop',
    );
  });
});

test('a wrong option is named', () => {
  const wrong: unknown = { nonces: 'always' };
  expect(() => dpop(Object(wrong))).toThrow('dpop.nonces must be "when_needed" or "required"');
});
