import assert from 'node:assert/strict';
import { getJson, metadata } from '../probes.ts';
import type { Row } from '../row.ts';

/** The documents that describe the service. */
export const descriptionRows: readonly Row[] = [
  {
    id: 'fff2',
    section: 'What the service does 5',
    sentence: 'MUST publish a machine-readable description of the API at /openapi.json',
    check: async ({ start }) => {
      const { harbour } = await start();
      const { body } = await getJson(`${harbour}/openapi.json`);
      assert.match(String(body['openapi']), /^3\.1/);
      const described = Object.keys(Object(body['paths']));
      for (const path of ['/oauth/authorize', '/api/oauth/token', '/api/oauth/userinfo', '/member/graphql', '/mcp']) {
        assert.ok(described.includes(path), path);
      }
    },
  },
  {
    id: '8467',
    section: 'What the service does 5',
    sentence: 'MUST publish the guide at /auth.md',
    check: async ({ start }) => {
      const { harbour } = await start();
      const guide = await (await fetch(`${harbour}/auth.md`)).text();
      const { authorization_endpoint: authorize, token_endpoint: token } = await metadata(harbour);
      for (const address of [authorize, token]) assert.ok(guide.includes(new URL(String(address)).pathname));
    },
  },
  {
    id: '0929',
    section: 'Endpoints: Discovery and description, openapi.json',
    sentence: 'MUST respond to GET with JSON',
    check: async ({ start }) => {
      const { harbour } = await start();
      const { status, headers, body } = await getJson(`${harbour}/openapi.json`);
      assert.equal(status, 200);
      assert.match(headers.get('content-type') ?? '', /^application\/json/);
      assert.equal(typeof body, 'object');
    },
  },
  {
    id: '8d63',
    section: 'Endpoints: Discovery and description, auth.md',
    sentence: 'MUST respond to GET with Markdown',
    check: async ({ start }) => {
      const { harbour } = await start();
      const response = await fetch(`${harbour}/auth.md`);
      assert.equal(response.status, 200);
      assert.match(response.headers.get('content-type') ?? '', /^text\/markdown/);
      assert.match(await response.text(), /^# \S/);
    },
  },
];
