import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { clientPrograms } from '../../lib/testing/clients/client-programs.ts';
import { play, type PlayOptions, type Transcript } from '../../lib/testing/clients/play.ts';
import type { ClientProgram } from '../../lib/testing/clients/program.ts';
import type { Schools } from '../helpers/schools.ts';
import type { DocumentServer } from '../metadata-documents/document-server.ts';
import { changedFetch, resourceMetadata, serverMetadata } from './changed-fetch.ts';
import { allowing, hesitating } from './people.ts';
import { approveDocuments, startRecommended } from './recommended.ts';
import { recordedDocuments, serveDocuments } from './recorded-documents.ts';
import { createCourse } from './school-tools.ts';

let documents: DocumentServer;
let schools: Schools;
beforeAll(async () => {
  documents = await serveDocuments(recordedDocuments);
  schools = await startRecommended(documents);
  await approveDocuments(schools);
});
afterAll(async () => {
  await schools.close();
  await documents.close();
});

function named(name: string): ClientProgram {
  const program = clientPrograms.find((each) => each.name === name);
  if (!program) throw new Error(`no program is called ${name}`);
  return program;
}

function run(name: string, options: Partial<PlayOptions> = {}): Promise<Transcript> {
  return play(named(name), {
    address: `${schools.harbour}/mcp/operator`,
    approve: allowing(schools.browser('olivia')),
    tool: createCourse,
    ...options,
  });
}

/** The parameters of each authorization request, and whatever the person then does. */
function watching(approve: PlayOptions['approve']) {
  const asked: URLSearchParams[] = [];
  const watched: PlayOptions['approve'] = (url) => {
    asked.push(url.searchParams);
    return approve(url);
  };
  return { asked, approve: watched };
}

/** The parameters of the authorization response with some changed; `null` leaves one out. */
function responding(changes: Readonly<Record<string, string | null>>): PlayOptions['approve'] {
  const approve = allowing(schools.browser('olivia'));
  return async (url) => {
    const ended = new URL(await approve(url));
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) ended.searchParams.delete(name);
      else ended.searchParams.set(name, value);
    }
    return ended;
  };
}

describe('protected-resource metadata that names the origin', () => {
  const fetchOf = () => changedFetch(resourceMetadata, (body) => ({ ...body, resource: schools.harbour }));

  test.each(['Gemini CLI', 'Claude.ai, registered', 'ChatGPT, document'])(
    'makes %s stop, which compares for equality',
    async (name) => {
      const { reason, connected } = await run(name, { fetch: fetchOf() });
      expect(reason).toBe(`resource ${schools.harbour} is not the address that was typed`);
      expect(connected).toBe(false);
    },
  );

  test.each(['mcp-remote', 'rmcp example', 'Codex CLI, registered'])('suits %s, a prefix', async (name) => {
    const { asked, approve } = watching(allowing(schools.browser('olivia')));
    expect((await run(name, { fetch: fetchOf(), approve })).reason).toBeUndefined();
    expect(asked[0]?.get('resource')).toBe(schools.harbour);
  });

  test('is thrown away by VS Code, which goes on with the challenge and without resource', async () => {
    const { asked, approve } = watching(allowing(schools.browser('olivia')));
    const { reason } = await run('VS Code, registered, another port', { fetch: fetchOf(), approve });
    expect(reason).toBeUndefined();
    expect(asked[0]?.get('resource')).toBeNull();
    expect(asked[0]?.get('scope')?.split(' ')).toContain('courses:write');
  });

  test('of a neighbouring path stops a program that compares prefixes', async () => {
    const resource = `${schools.harbour}/mcp/oper`;
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
    const { device } = await run(name);
    const sent = device.steps.flatMap(({ sent: { resource } }) => resource ?? []);
    expect(sent).toEqual(Array.from({ length: times }, () => `${schools.harbour}${path}`));
  });

  test('Zed leaves out the slash at the end of what the metadata says', async () => {
    const slash = changedFetch(resourceMetadata, (body) => ({ ...body, resource: `${schools.harbour}/mcp/operator/` }));
    const { asked, approve } = watching(allowing(schools.browser('olivia')));
    expect((await run('Zed', { fetch: slash, approve })).reason).toBeUndefined();
    expect(asked[0]?.get('resource')).toBe(`${schools.harbour}/mcp/operator`);
  });
});

describe('which scopes are asked for', () => {
  const askedBy = async (name: string, fetchFrom?: typeof fetch) => {
    const { asked, approve } = watching(allowing(schools.browser('olivia')));
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
    const { asked, approve } = watching(hesitating(schools.browser('olivia'), ['orders:read']));
    return { ...(await run(name, { approve })), asked: asked.length };
  };

  test.each(['rmcp example', 'MCP Inspector, command line', 'Claude.ai, registered'])(
    '%s asks for old and new scopes, and acts',
    async (name) => {
      const { reason, asked, device } = await runFor(name);
      expect([reason, asked]).toEqual([undefined, 2]);
      expect(device.signedIn?.scope.split(' ')).toEqual(expect.arrayContaining(['orders:read', 'courses:write']));
    },
  );

  test('VS Code asks for what the challenge names, and loses nothing', async () => {
    const { reason, asked, device } = await runFor('VS Code, registered, another port');
    expect([reason, asked]).toEqual([undefined, 2]);
    expect(device.signedIn?.scope.split(' ')).toEqual(expect.arrayContaining(['orders:read', 'courses:write']));
  });

  test('mcp-remote refreshes, gets the same scopes, and gives up', async () => {
    const { reason, asked, device } = await runFor('mcp-remote');
    expect(reason).toMatch(/^the call of create_course was refused again/);
    expect([asked, device.steps.filter(({ request }) => request === 'refresh').length]).toEqual([1, 1]);
  });

  test.each(['Codex CLI, registered', 'Zed'])('%s does nothing', async (name) => {
    const { reason, asked } = await runFor(name);
    expect([reason?.startsWith('the call of create_course was refused:'), asked]).toEqual([true, 1]);
  });
});

describe('the authorization response', () => {
  test.each(['rmcp example', 'MCP Inspector, command line', 'Claude Code, registered', 'ChatGPT, document'])(
    '%s refuses one without iss, or with another',
    async (name) => {
      const without = await run(name, { approve: responding({ iss: null }) });
      expect(without.reason).toBe(`the authorization response has the issuer nobody, not ${schools.harbour}`);
      const other = await run(name, { approve: responding({ iss: schools.summit }) });
      expect(other.reason).toBe(`the authorization response has the issuer ${schools.summit}, not ${schools.harbour}`);
    },
  );

  test('mcp-remote does not look at iss, but at state', async () => {
    expect((await run('mcp-remote', { approve: responding({ iss: schools.summit }) })).reason).toBeUndefined();
    const { reason } = await run('mcp-remote', { approve: responding({ state: 'another' }) });
    expect(reason).toBe('the authorization response has another state');
  });

  test('a person who denies ends the run', async () => {
    const browser = schools.browser('olivia');
    const { reason } = await run('mcp-remote', {
      approve: async (url) => (await browser.decide(await browser.follow(url), 'deny')).url,
    });
    expect(reason).toMatch(/^the authorization request was refused: access_denied/);
  });
});

describe('authorization-server metadata', () => {
  test.each<[string, Parameters<typeof changedFetch>[1], RegExp]>([
    ['of another issuer', (body) => ({ ...body, issuer: 'https://evil.example' }), /names the issuer https:\/\/evil/],
    ['without S256', (body) => ({ ...body, code_challenge_methods_supported: ['plain'] }), /does not support PKCE/],
    ['without a registration endpoint', ({ registration_endpoint: _endpoint, ...body }) => body, /no registration end/],
    ['that does not exist', () => undefined, /has no authorization-server metadata/],
  ])('%s stops a program', async (_name, change, reason) => {
    expect((await run('mcp-remote', { fetch: changedFetch(serverMetadata, change) })).reason).toMatch(reason);
  });

  test('that advertises no documents makes Zed register, and only then', async () => {
    const change = (body: object) => ({ ...body, client_id_metadata_document_supported: false });
    const registered = await run('Zed', { fetch: changedFetch(serverMetadata, change) });
    expect(registered.reason).toBeUndefined();
    expect(registered.device.signedIn?.clientId).not.toContain('zed.dev');
    expect((await run('Zed')).device.signedIn?.clientId).toBe('https://zed.dev/oauth/client-metadata.json');
  });
});

test('a document that is refused is not followed by a registration', async () => {
  const { approve, asked } = watching(allowing(schools.browser('olivia')));
  const stranger = { ...named('Zed'), document: 'https://chalk.example/client.json' };
  const { reason, device } = await play(stranger, {
    address: `${schools.harbour}/mcp/operator`,
    approve,
    tool: createCourse,
  });
  expect(reason).toMatch(/^the browser has stopped at .*\/oauth\/authorize/);
  expect([asked.length, device.steps.some(({ request }) => request === 'registration')]).toEqual([1, false]);
});

test('a tool that is not listed is never called', async () => {
  const { reason } = await run('mcp-remote', { tool: { name: 'my_inbox' } });
  expect(reason).toBe('the tool my_inbox is not listed, so it is never called');
});

test('LibreChat does not sign in where there is no protected-resource metadata and no 401', async () => {
  const none = changedFetch(resourceMetadata, () => undefined);
  const { reason } = await run('LibreChat', { address: `${schools.harbour}/mcp`, fetch: none });
  expect(reason).toBe('it was served without a token, so it never signs in');
});

test('MCP Inspector in a browser stops where its origin is not allowed', async () => {
  const page = { ...named('MCP Inspector, web'), page: 'http://localhost:9999' };
  const options = { address: `${schools.harbour}/mcp/operator`, approve: allowing(schools.browser('olivia')) };
  const { reason } = await play(page, { ...options, tool: createCourse });
  expect(reason).toMatch(/^CORS does not allow/);
});

test('a transcript has no secret, token or code', async () => {
  const { device } = await run('Claude.ai, registered');
  const exchange = device.steps.find(({ request }) => request === 'code exchange');
  expect(exchange).toMatchObject({ sent: { code: '…', code_verifier: '…' }, received: { access_token: '…' } });
  expect(JSON.stringify(device.steps)).not.toMatch(/Bearer [\w-]{20}/);
});
