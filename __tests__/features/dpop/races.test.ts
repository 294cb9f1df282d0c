import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import { dpop } from '../../../lib/dpop.ts';
import { getCode, memberApp } from '../../helpers/flow.ts';
import { rawRequest } from '../../helpers/raw-http.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { ath, holder, proofOf } from './proofs.ts';

const crowd = 64;
const own = holder();

let one: Schools;
let two: Schools;
let tokens: Record<string, unknown>;
beforeAll(async () => {
  const campus = { store: memoryStore(), dpop: dpop() };
  one = await startSchools({ campus });
  // The second process serves the same origins.
  const platform = {
    findSite: () => ({ id: 'harbour', origin: one.harbour, name: 'Harbour', connectionsEnabled: true }),
  };
  two = await startSchools({ campus, platform });
  const { code, verifier } = await getCode(one.browser('sam'), one.harbour, memberApp);
  const redirect = { redirect_uri: memberApp.redirectUri, code_verifier: verifier, resource: one.harbour };
  const form = { grant_type: 'authorization_code', code, ...redirect, client_id: memberApp.id };
  tokens = JSON.parse((await post(one, form, atToken())).replace(/^[^]*\r\n\r\n/, ''));
});
afterAll(() => Promise.all([one, two].map((each) => each.close())));

const atToken = (): string => proofOf(own, 'POST', `${one.harbour}/api/oauth/token`);
const atUserinfo = (): string =>
  proofOf(own, 'GET', `${one.harbour}/api/oauth/userinfo`, { claims: { ath: ath(tokens['access_token']) } });

function post({ harbour }: Schools, form: object, proof: string): Promise<string> {
  const body = new URLSearchParams({ ...form }).toString();
  return rawRequest(Number(new URL(harbour).port), [
    'POST /api/oauth/token HTTP/1.1',
    `Host: ${new URL(one.harbour).host}`,
    'Content-Type: application/x-www-form-urlencoded',
    'Connection: close',
    `DPoP: ${proof}`,
    `Content-Length: ${body.length}`,
    '',
    body,
  ]);
}

function userinfo({ harbour }: Schools, proof: string): Promise<string> {
  return rawRequest(Number(new URL(harbour).port), [
    'GET /api/oauth/userinfo HTTP/1.1',
    `Host: ${new URL(one.harbour).host}`,
    'Connection: close',
    `Authorization: DPoP ${String(tokens['access_token'])}`,
    `DPoP: ${proof}`,
  ]);
}

const atOnce = <T>(count: number, ask: (process: Schools) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => ask(i % 2 === 0 ? one : two)));
const counted = (responses: readonly string[], text: RegExp): number =>
  responses.filter((response) => text.test(response)).length;

test(`of ${crowd} requests with one proof, at two processes on one store, exactly one succeeds`, async () => {
  const proof = atUserinfo();
  const responses = await atOnce(crowd, (process) => userinfo(process, proof));
  expect(counted(responses, /^HTTP\/1\.1 200 /)).toBe(1);
  expect(counted(responses, /^HTTP\/1\.1 401 [^]*invalid_dpop_proof[^]*used before/)).toBe(crowd - 1);
});

test('requests with a proof each all succeed', async () => {
  const responses = await atOnce(32, (process) => userinfo(process, atUserinfo()));
  expect(counted(responses, /^HTTP\/1\.1 200 /)).toBe(32);
});

test('of 32 refreshes with one proof one succeeds, and the others get no tokens', async () => {
  const form = { grant_type: 'refresh_token', refresh_token: String(tokens['refresh_token']), client_id: memberApp.id };
  const proof = atToken();
  const responses = await atOnce(32, (process) => post(process, form, proof));
  expect(counted(responses, /^HTTP\/1\.1 200 /)).toBe(1);
  expect(counted(responses, /^HTTP\/1\.1 400 [^]*invalid_dpop_proof/)).toBe(31);
});
