import assert from 'node:assert/strict';
import { signingKey } from '../../helpers/keys.ts';
import { getJson, metadata, text, texts } from '../probes.ts';
import type { Row } from '../row.ts';

const section = 'Endpoints: Discovery and description';
const documents = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
];

/** Discovery documents and the metadata keys that clients check. */
export const discovery: readonly Row[] = [
  {
    id: '355f',
    section,
    sentence: 'MUST respond to GET at each well-known path with JSON, without a payload or token',
    check: async ({ start }) => {
      const { harbour, summit } = await start();
      for (const url of documents.flatMap((path) => [`${harbour}${path}`, `${summit}${path}`])) {
        const { status, headers, body } = await getJson(url);
        assert.equal(status, 200);
        assert.match(headers.get('content-type') ?? '', /^application\/json/);
        assert.ok(Object.keys(body).length > 0);
        assert.equal((await fetch(url, { method: 'POST' })).status, 405);
      }
    },
  },
  {
    id: '3366',
    section: `${section}, oauth-protected-resource`,
    sentence: 'MUST advertise the origin as the resource value (RFC 9728)',
    check: async ({ start }) => {
      const { harbour, summit } = await start();
      for (const origin of [harbour, summit]) {
        const { body } = await getJson(`${origin}/.well-known/oauth-protected-resource`);
        assert.equal(body['resource'], origin);
        assert.deepEqual(texts(body['bearer_methods_supported']), ['header']);
      }
    },
  },
  {
    id: '200f',
    section: `${section}, oauth-authorization-server`,
    sentence: 'MUST publish Authorization Server Metadata (RFC 8414) whose issuer is the origin it is read from',
    check: async ({ start }) => {
      const { harbour, summit } = await start();
      for (const origin of [harbour, summit]) {
        const { body } = await getJson(`${origin}/.well-known/oauth-authorization-server`);
        assert.equal(body['issuer'], origin);
        assert.deepEqual(texts(body['response_types_supported']), ['code']);
        assert.deepEqual(texts(body['code_challenge_methods_supported']), ['S256']);
        assert.equal(body['authorization_response_iss_parameter_supported'], true);
      }
    },
  },
  {
    id: 'bc40',
    section: `${section}, openid-configuration`,
    sentence: 'MUST publish OpenID Connect Discovery that agrees with the Authorization Server Metadata',
    check: async ({ start }) => {
      const { harbour, summit } = await start();
      for (const origin of [harbour, summit]) {
        const body = await metadata(origin);
        assert.equal(body['issuer'], origin);
        assert.deepEqual(texts(body['subject_types_supported']), ['public']);
        const { body: other } = await getJson(`${origin}/.well-known/oauth-authorization-server`);
        for (const name of Object.keys(body).filter((key) => key in other)) assert.deepEqual(body[name], other[name]);
      }
    },
  },
  {
    id: 'ca30',
    section: `${section}, id_token_signing_alg_values_supported`,
    sentence: 'MUST list ES256, and only that, while a key signs ID tokens',
    check: async ({ start }) => {
      const { harbour } = await start();
      assert.deepEqual(texts((await metadata(harbour))['id_token_signing_alg_values_supported']), ['ES256']);
    },
  },
  {
    id: 'e494',
    section: `${section}, jwks_uri`,
    sentence: 'MUST point to the public keys, both current and future ones, without private members',
    check: async ({ start }) => {
      const [signing, next] = await Promise.all([signingKey('key-1'), signingKey('key-2')]);
      const keys = { signing: [signing], published: [next], cookies: ['a secret of the tests'] };
      const { harbour } = await start({ campus: { keys } });
      const { body } = await getJson(text((await metadata(harbour))['jwks_uri']));
      const { keys: published } = body;
      assert.ok(Array.isArray(published));
      assert.deepEqual(texts(published.map((key) => Reflect.get(key, 'kid'))), ['key-1', 'key-2']);
      for (const key of published) {
        assert.equal(Reflect.get(key, 'alg'), 'ES256');
        assert.equal(Reflect.get(key, 'd'), undefined);
      }
    },
  },
];
