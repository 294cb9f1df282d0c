import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exampleValues } from '../../lib/describe/openapi/example-values.ts';
import { decisionsOn } from '../helpers/browser.ts';
import { exchange, getCode, type JsonResponse, jsonResponse, pkce, type TestClient } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { everything } from './configurations.ts';
import { expectValid } from './described.ts';
import { type Content, describedOperations, type Operation, readDescription } from './description.ts';

const options = everything();
const first = await startSchools(options);
const description = await readDescription(first.harbour);
await first.close();

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools(options);
});
afterAll(() => schools.close());

/** An example request and its example response. */
interface Replay {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
  readonly name: string;
  readonly type: string | undefined;
  readonly request: unknown;
  readonly status: number;
  readonly response: Content | undefined;
}

/** Every example, including the example responses to requests without a body. */
const replays: Replay[] = describedOperations(description).flatMap(({ path, method, operation }) => {
  const [type, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const responses = Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
    Object.values(content).flatMap((response) =>
      Object.keys(response.examples ?? {}).map((name) => ({ name, status: Number(status), response })),
    ),
  );
  // Without an example of a response, the one of success.
  const [success = 200] = Object.keys(operation.responses).map(Number);
  const names = new Set([...responses.map(({ name }) => name), ...Object.keys(body?.examples ?? {})]);
  return [...names].map((name) => {
    const { status = success, response } = responses.find((each) => each.name === name) ?? {};
    return { path, method, operation, name, type, request: body?.examples?.[name]?.value, status, response };
  });
});

async function postJson(url: string, body: object): Promise<JsonResponse> {
  const headers = { 'content-type': 'application/json' };
  return jsonResponse(await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }));
}

/** Real values to replace the made-up values of the examples. */
async function realValues(): Promise<Record<string, string>> {
  const { body } = await postJson(`${schools.harbour}/api/oauth/register`, {
    client_name: 'Replay',
    redirect_uris: [exampleValues.redirect_uri],
  });
  const client: TestClient = {
    id: String(body['client_id']),
    redirectUri: exampleValues.redirect_uri,
    scope: 'openid profile email courses:read',
  };
  const browser = schools.browser('olivia');
  const tokens = (await exchange(await getCode(browser, schools.harbour, client))).body;
  const { code, verifier } = await getCode(browser, schools.harbour, client);
  return {
    [exampleValues.client_id]: client.id,
    [exampleValues.code]: code,
    [exampleValues.code_verifier]: verifier,
    [exampleValues.code_challenge]: pkce().challenge,
    [exampleValues.access_token]: String(tokens['access_token']),
    [exampleValues.refresh_token]: String(tokens['refresh_token']),
    // The description was read from a server on another port.
    [first.harbour]: schools.harbour,
  };
}

function withReal(text: string, real: Readonly<Record<string, string>>): string {
  return Object.entries(real).reduce((changed, [example, value]) => changed.replaceAll(example, value), text);
}

async function send(
  { path, method, operation, type, request }: Replay,
  real: Record<string, string>,
): Promise<Response> {
  const [needs] = operation.security;
  const optional = operation.security.length > 1;
  const headers: Record<string, string> = {};
  if (needs && !optional) headers['authorization'] = `Bearer ${real[exampleValues.access_token] ?? ''}`;
  if (request === undefined) return fetch(`${schools.harbour}${path}`, { method, headers });
  headers['content-type'] = String(type);
  const json = withReal(JSON.stringify(request), real);
  const fields: Record<string, string> = JSON.parse(json);
  const body = type === 'application/json' ? json : new URLSearchParams(fields).toString();
  return fetch(`${schools.harbour}${path}`, { method, headers, body, redirect: 'manual' });
}

test('OpenAPI: every operation with a request body has examples', () => {
  const withBody = describedOperations(description).filter(({ operation }) => operation.requestBody);
  for (const { path } of withBody) expect(replays.map((replay) => replay.path)).toContain(path);
  expect(replays.length).toBeGreaterThan(20);
});

test.each(replays.map((replay) => [`${replay.method} ${replay.path}`, replay.name, replay] as const))(
  '%s: replaying the OpenAPI example %s returns the example response',
  async (_operation, name, replay) => {
    const real = await realValues();
    const response = await send(replay, real);
    const text = await response.text();
    expect([response.status, text]).toEqual([replay.status, expect.any(String)]);
    if (!replay.response) return;
    const shown = JSON.parse(withReal(JSON.stringify(replay.response.examples?.[name]?.value), real));
    const got = JSON.parse(text);
    expectValid(description, replay.response.schema, got);
    expectValid(description, replay.response.schema, shown);
    if (name === 'served') expect(got).toEqual(shown);
    else if ('error' in shown) expect(got.error).toBe(shown.error);
    else expect(Object.keys(got)).toEqual(expect.arrayContaining(Object.keys(shown)));
  },
);

test('OpenAPI: the example parameters of /oauth/authorize lead to the consent page', async () => {
  const real = await realValues();
  const { parameters = [] } = description.paths['/oauth/authorize']?.['get'] ?? {};
  const query = parameters.flatMap(({ name, example }) =>
    example === undefined ? [] : [[name, withReal(example, real)]],
  );
  const url = `${schools.harbour}/oauth/authorize?${new URLSearchParams(query).toString()}`;
  const { html } = await schools.browser('olivia').follow(url);
  expect(decisionsOn(html)).toContain('allow');
});
