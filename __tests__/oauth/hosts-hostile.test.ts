import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { paths } from '../../lib/http/paths.ts';
import { rawRequest } from '../helpers/raw-http.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let plain: Schools;
let proxied: Schools;
beforeAll(async () => {
  plain = await startSchools();
  proxied = await startSchools({
    app: (campus) => {
      const app = new Koa({ proxy: true });
      app.use(campus.middleware());
      return app;
    },
  });
});
afterAll(async () => {
  await plain.close();
  await proxied.close();
});

const targets = [
  paths.openidConfiguration,
  paths.authorizationServer,
  paths.protectedResource,
  paths.jwks,
  `${paths.authorize}?client_id=web-member-app&response_type=code&redirect_uri=https%3A%2F%2Fbuddy.example%2Fcallback`,
  paths.userinfo,
];

/** HTTP versions of "I am evil.example", with HOST standing for the school's own host. */
const tricks: Record<string, string[]> = {
  'Host: evil': ['Host: evil.example'],
  'Host with userinfo': ['Host: HOST@evil.example'],
  'Host with userinfo, the other way': ['Host: evil.example@HOST'],
  'Host with a path': ['Host: HOST/evil.example'],
  'Host with a port that is none': ['Host: HOST:evil.example'],
  'Host with a trailing dot': ['Host: evil.example.'],
  'Host twice': ['Host: HOST', 'Host: evil.example'],
  'Host twice, the other way': ['Host: evil.example', 'Host: HOST'],
  'X-Forwarded-Host': ['Host: HOST', 'X-Forwarded-Host: evil.example'],
  'X-Forwarded-Host list': ['Host: HOST', 'X-Forwarded-Host: evil.example, HOST'],
  'X-Forwarded-Proto': ['Host: HOST', 'X-Forwarded-Proto: evil.example'],
  Forwarded: ['Host: HOST', 'Forwarded: host=evil.example;proto=https'],
  'X-Original-URL': ['Host: HOST', 'X-Original-URL: https://evil.example/'],
};

describe.each(Object.entries(tricks))('%s', (_name, headers) => {
  test.each(targets)('GET %s never names the foreign host', async (target) => {
    for (const schools of [plain, proxied]) {
      const { host, port } = new URL(schools.harbour);
      const lines = headers.map((header) => header.replaceAll('HOST', host));
      const response = await rawRequest(Number(port), [`GET ${target} HTTP/1.1`, ...lines, 'Connection: close']);
      expect(response).toMatch(/^HTTP\/1\.1 [2-4]\d\d /);
      expect(response).not.toContain('evil.example');
    }
  });
});

describe('absolute-form request target', () => {
  test('of another host falls through', async () => {
    const { host, port } = new URL(plain.harbour);
    const response = await rawRequest(Number(port), [
      `GET http://evil.example${paths.openidConfiguration} HTTP/1.1`,
      `Host: ${host}`,
      'Connection: close',
    ]);
    expect(response).toMatch(/^HTTP\/1\.1 404 /);
    expect(response).not.toContain('evil.example');
  });

  test('of the school itself is served', async () => {
    const { host, port } = new URL(plain.harbour);
    const response = await rawRequest(Number(port), [
      `GET ${plain.harbour}${paths.openidConfiguration} HTTP/1.1`,
      `Host: ${host}`,
      'Connection: close',
    ]);
    expect(response).toMatch(/^HTTP\/1\.1 200 /);
    expect(response).toContain(`"issuer":"${plain.harbour}"`);
  });
});

test('an unknown host falls through on every path of ours', async () => {
  const { port } = new URL(plain.harbour);
  for (const path of Object.values(paths)) {
    const response = await rawRequest(Number(port), [
      `GET ${path} HTTP/1.1`,
      'Host: nobody.example',
      'Connection: close',
    ]);
    expect(response).toMatch(/^HTTP\/1\.1 404 /);
  }
});

test('behind a trusted proxy the forwarded host is the school', async () => {
  const { host, port } = new URL(proxied.summit);
  const response = await rawRequest(Number(port), [
    `GET ${paths.openidConfiguration} HTTP/1.1`,
    'Host: internal',
    `X-Forwarded-Host: ${host}`,
    'X-Forwarded-Proto: http',
    'Connection: close',
  ]);
  expect(response).toContain(`"issuer":"${proxied.summit}"`);
});
