import { describe, expect, test } from '@jest/globals';
import type { Approve } from '../../lib/simulated-clients/authorization.ts';
import { allowing } from './people.ts';
import { named, startPlaying } from './playing.ts';

const playing = startPlaying();
const { run } = playing;

/** The parameters of the authorization response with some changed; `null` leaves one out. */
function responding(changes: Readonly<Record<string, string | null>>): Approve {
  const approve = allowing(playing.schools().browser('olivia'));
  return async (url) => {
    const ended = new URL(await approve(url));
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) ended.searchParams.delete(name);
      else ended.searchParams.set(name, value);
    }
    return ended;
  };
}

describe('the authorization response', () => {
  test.each(['rmcp example', 'MCP Inspector, command line', 'Claude Code, registered', 'ChatGPT, document'])(
    '%s refuses one without iss, or with another',
    async (name) => {
      const without = await run(name, { approve: responding({ iss: null }) });
      expect(without.reason).toBe(`the authorization response has the issuer nobody, not ${playing.schools().harbour}`);
      const other = await run(name, { approve: responding({ iss: playing.schools().summit }) });
      expect(other.reason).toBe(
        `the authorization response has the issuer ${playing.schools().summit}, not ${playing.schools().harbour}`,
      );
    },
  );

  test('mcp-remote does not look at iss, but at state', async () => {
    expect(
      (await run('mcp-remote', { approve: responding({ iss: playing.schools().summit }) })).reason,
    ).toBeUndefined();
    const { reason } = await run('mcp-remote', { approve: responding({ state: 'another' }) });
    expect(reason).toBe('the authorization response has another state');
  });

  test('a person who denies ends the run', async () => {
    const browser = playing.schools().browser('olivia');
    const { reason } = await run('mcp-remote', {
      approve: async (url) => (await browser.decide(await browser.follow(url), 'deny')).url,
    });
    expect(reason).toMatch(/^the authorization request was refused: access_denied/);
  });
});

test('a tool that is not listed is never called', async () => {
  const { reason } = await run('mcp-remote', { tool: { name: 'my_inbox' } });
  expect(reason).toBe('the tool my_inbox is not listed, so it is never called');
});

test('MCP Inspector in a browser stops where its origin is not allowed', async () => {
  const { reason } = await run({ ...named('MCP Inspector, web'), page: 'http://localhost:9999' });
  expect(reason).toMatch(/^CORS does not allow/);
});

test('a transcript has no secret, token or code', async () => {
  const { installation } = await run('Claude.ai, registered');
  const exchange = installation.steps.find(({ request }) => request === 'code exchange');
  expect(exchange).toMatchObject({ sent: { code: '…', code_verifier: '…' }, received: { access_token: '…' } });
  expect(JSON.stringify(installation.steps)).not.toMatch(/Bearer [\w-]{20}/);
});
