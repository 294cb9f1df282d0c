import { describe, expect, test } from '@jest/globals';
import { changedFetch, resourceMetadata, serverMetadata } from './changed-fetch.ts';
import { allowing, hesitating, watching } from './people.ts';
import { startPlaying } from './playing.ts';

const playing = startPlaying();
const { run } = playing;

describe('which scopes are asked for', () => {
  const askedBy = async (name: string, fetchFrom?: typeof fetch) => {
    const { asked, approve } = watching(allowing(playing.schools().browser('olivia')));
    const transcript = await run(name, { approve, fetch: fetchFrom });
    return { ...transcript, scopes: asked.map((parameters) => parameters.get('scope')) };
  };
  // No list of ours: it is not narrowed, and account:read is refused.
  const otherList = () =>
    changedFetch(serverMetadata, (b) => ({ ...b, scopes_supported: ['courses:write', 'account:read'] }));

  test('Codex CLI tries once more without scope after invalid_scope', async () => {
    const { scopes, reason } = await askedBy('Codex CLI, registered', otherList());
    expect([scopes, reason]).toEqual([['courses:write account:read', null], undefined]);
  });

  test('Gemini CLI stops after invalid_scope', async () => {
    const { reason } = await askedBy('Gemini CLI', otherList());
    expect(reason).toMatch(/^the authorization request was refused: invalid_scope/);
  });

  test('mcp-remote falls back to the list of the authorization server', async () => {
    const without = changedFetch(resourceMetadata, ({ scopes_supported: _scopes, ...body }) => body);
    const unchallenged: typeof fetch = async (input, init) => {
      const { status, headers, ...response } = await without(input, init).then(withoutScope);
      return new Response(response.body, { status, headers });
    };
    const { scopes, reason } = await askedBy('mcp-remote', unchallenged);
    expect([scopes[0]?.split(' ').includes('account:read'), reason]).toEqual([true, undefined]);
  });

  test.each(['Claude.ai, registered', 'Claude Code, registered', 'ChatGPT, document'])(
    '%s adds offline_access',
    async (name) => {
      const { scopes, reason } = await askedBy(name);
      expect([scopes[0]?.split(' ').includes('offline_access'), reason]).toEqual([true, undefined]);
    },
  );
});

/** A response whose challenge names no scope. */
async function withoutScope(response: Response): Promise<{ body: string | null; status: number; headers: Headers }> {
  const headers = new Headers(response.headers);
  const challenge = headers.get('www-authenticate');
  if (challenge !== null) headers.set('www-authenticate', challenge.replace(/, scope="[^"]*"/, ''));
  return { body: (await response.text()) || null, status: response.status, headers };
}

describe('a person who first allows only orders:read', () => {
  const runFor = async (name: string) => {
    const { asked, approve } = watching(hesitating(playing.schools().browser('olivia'), ['orders:read']));
    return { ...(await run(name, { approve })), asked: asked.length };
  };

  test.each(['rmcp example', 'MCP Inspector, command line', 'Claude.ai, registered'])(
    '%s asks for old and new scopes, and acts',
    async (name) => {
      const { reason, asked, installation } = await runFor(name);
      expect([reason, asked]).toEqual([undefined, 2]);
      expect(installation.signedIn?.scope.split(' ')).toEqual(expect.arrayContaining(['orders:read', 'courses:write']));
    },
  );

  test('VS Code asks for what the challenge names, and loses nothing', async () => {
    const { reason, asked, installation } = await runFor('VS Code, registered, another port');
    expect([reason, asked]).toEqual([undefined, 2]);
    expect(installation.signedIn?.scope.split(' ')).toEqual(expect.arrayContaining(['orders:read', 'courses:write']));
  });

  test('mcp-remote refreshes, gets the same scopes, and gives up', async () => {
    const { reason, asked, installation } = await runFor('mcp-remote');
    expect(reason).toMatch(/^the call of create_course was refused again/);
    expect([asked, installation.steps.filter(({ request }) => request === 'refresh').length]).toEqual([1, 1]);
  });

  test.each(['Codex CLI, registered', 'Zed'])('%s does nothing', async (name) => {
    const { reason, asked } = await runFor(name);
    expect([reason?.startsWith('the call of create_course was refused:'), asked]).toEqual([true, 1]);
  });
});
