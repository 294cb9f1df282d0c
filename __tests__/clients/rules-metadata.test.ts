import { describe, expect, test } from '@jest/globals';
import { changedFetch, resourceMetadata, serverMetadata } from './changed-fetch.ts';
import { allowing, watching } from './people.ts';
import { named, startPlaying } from './playing.ts';

const playing = startPlaying();
const { run } = playing;

describe('protected-resource metadata that names the origin', () => {
  const fetchOf = () => changedFetch(resourceMetadata, (body) => ({ ...body, resource: playing.schools().harbour }));

  test.each(['Gemini CLI', 'Claude.ai, registered', 'ChatGPT, document'])(
    'makes %s stop, which compares for equality',
    async (name) => {
      const { reason, connected } = await run(name, { fetch: fetchOf() });
      expect(reason).toBe(`resource ${playing.schools().harbour} is not the address that was typed`);
      expect(connected).toBe(false);
    },
  );

  test.each(['mcp-remote', 'rmcp example', 'Codex CLI, registered'])('suits %s, a prefix', async (name) => {
    const { asked, approve } = watching(allowing(playing.schools().browser('olivia')));
    expect((await run(name, { fetch: fetchOf(), approve })).reason).toBeUndefined();
    expect(asked[0]?.get('resource')).toBe(playing.schools().harbour);
  });

  test('is thrown away by VS Code, which goes on with the challenge and without resource', async () => {
    const { asked, approve } = watching(allowing(playing.schools().browser('olivia')));
    const { reason } = await run('VS Code, registered, another port', { fetch: fetchOf(), approve });
    expect(reason).toBeUndefined();
    expect(asked[0]?.get('resource')).toBeNull();
    expect(asked[0]?.get('scope')?.split(' ')).toContain('courses:write');
  });

  test('of a neighbouring path stops an app that compares prefixes', async () => {
    const resource = `${playing.schools().harbour}/mcp/oper`;
    const { reason } = await run('mcp-remote', { fetch: changedFetch(resourceMetadata, (b) => ({ ...b, resource })) });
    expect(reason).toBe(`resource ${resource} is not the address that was typed`);
  });
});

describe('what is sent as resource', () => {
  test.each([
    ['Gemini CLI', '/mcp/operator', 2],
    ['mcp-remote', '/mcp/operator', 2],
    ['Zed', '/mcp/operator', 2],
    ['LibreChat', undefined, 0],
  ])('%s', async (name, path, times) => {
    const { installation } = await run(name);
    const sent = installation.steps.flatMap(({ sent: { resource } }) => resource ?? []);
    expect(sent).toEqual(Array.from({ length: times }, () => `${playing.schools().harbour}${path}`));
  });

  test('Zed leaves out the slash at the end of what the metadata says', async () => {
    const slash = changedFetch(resourceMetadata, (body) => ({
      ...body,
      resource: `${playing.schools().harbour}/mcp/operator/`,
    }));
    const { asked, approve } = watching(allowing(playing.schools().browser('olivia')));
    expect((await run('Zed', { fetch: slash, approve })).reason).toBeUndefined();
    expect(asked[0]?.get('resource')).toBe(`${playing.schools().harbour}/mcp/operator`);
  });
});

describe('authorization-server metadata', () => {
  test.each<[string, Parameters<typeof changedFetch>[1], RegExp]>([
    ['of another issuer', (body) => ({ ...body, issuer: 'https://evil.example' }), /names the issuer https:\/\/evil/],
    ['without S256', (body) => ({ ...body, code_challenge_methods_supported: ['plain'] }), /does not support PKCE/],
    ['without a registration endpoint', ({ registration_endpoint: _endpoint, ...body }) => body, /no registration end/],
    ['that does not exist', () => undefined, /has no authorization-server metadata/],
  ])('%s stops an app', async (_name, change, reason) => {
    expect((await run('mcp-remote', { fetch: changedFetch(serverMetadata, change) })).reason).toMatch(reason);
  });

  test('that advertises no documents makes Zed register, and only then', async () => {
    const change = (body: object) => ({ ...body, client_id_metadata_document_supported: false });
    const registered = await run('Zed', { fetch: changedFetch(serverMetadata, change) });
    expect(registered.reason).toBeUndefined();
    expect(registered.installation.signedIn?.clientId).not.toContain('zed.dev');
    expect((await run('Zed')).installation.signedIn?.clientId).toBe('https://zed.dev/oauth/client-metadata.json');
  });
});

test('a document that is refused is not followed by a registration', async () => {
  const { approve, asked } = watching(allowing(playing.schools().browser('olivia')));
  const stranger = { ...named('Zed'), document: 'https://chalk.example/client.json' };
  const { reason, installation } = await run(stranger, { approve });
  expect(reason).toMatch(/^the browser has stopped at .*\/oauth\/authorize/);
  expect([asked.length, installation.steps.some(({ request }) => request === 'registration')]).toEqual([1, false]);
});

test('LibreChat does not sign in where there is no protected-resource metadata and no 401', async () => {
  const none = changedFetch(resourceMetadata, () => undefined);
  const { reason } = await run('LibreChat', { address: `${playing.schools().harbour}/mcp`, fetch: none });
  expect(reason).toBe('it was served without a token, so it never signs in');
});
