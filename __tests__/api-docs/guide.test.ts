import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CampusOptions } from '../../lib/index.ts';
import { errorCodes } from '../../lib/describe/error-codes.ts';
import { guide } from '../../lib/describe/guide/guide.ts';
import { allScopes } from '../../lib/protocol/scopes.ts';
import { authorize, jsonResponse, memberApp, reports } from '../helpers/flow.ts';
import { signingKey } from '../helpers/keys.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { acme, everything, fullPlatform, little, littleFacts } from './configurations.ts';
import { shellBlocks, startShell } from './shell.ts';

const published = await signingKey('next');

async function read(origin: string): Promise<string> {
  return (await fetch(`${origin}/auth.md`)).text();
}

/** Runs every command of the guide as a reader would, and answers what each block wrote. */
async function follow(schools: Schools, person: string, env: Record<string, string>): Promise<string[]> {
  const shell = startShell(env);
  const written: string[] = [];
  try {
    for (const block of shellBlocks(await read(schools.harbour))) {
      const text = await shell.run(block);
      written.push(text);
      if (!text.includes('/oauth/authorize?')) continue;
      const { url } = await authorize(schools.browser(person), new URL(text));
      await shell.run(`CODE=${url.searchParams.get('code') ?? ''}`);
    }
    await shell.end();
  } finally {
    shell.kill();
  }
  return written;
}

const reportsEnv = {
  CLIENT_ID: reports.id,
  CLIENT_SECRET: String(reports.secret),
  REDIRECT_URI: reports.redirectUri,
  SCOPE: 'openid courses:read',
};

const ways: [string, string, Partial<CampusOptions>, Record<string, string>][] = [
  ['a tool that registers', 'olivia', everything(), {}],
  ['a client that the school made', 'sam', little, { CLIENT_ID: memberApp.id }],
  ['one that could have registered', 'sam', everything(), { CLIENT_ID: memberApp.id, SCOPE: 'openid account:read' }],
  ['a server with a secret', 'olivia', little, reportsEnv],
];

test.each(ways)(
  'every command works, one after the other, for %s',
  async (_who, person, campus, env) => {
    const schools = await startSchools({ campus });
    try {
      const written = await follow(schools, person, env);
      const answers = written.filter((text) => text.startsWith('{')).map((text) => JSON.parse(text));
      const [tokens, claims, refreshed, viewer, tools, introspection] = answers;
      expect(tokens).toMatchObject({ token_type: 'Bearer', scope: env['SCOPE'] ?? 'openid profile email' });
      expect(claims).toMatchObject({ sub: person, org_id: 'harbour' });
      expect(refreshed.access_token).not.toBe(tokens.access_token);
      expect(refreshed).not.toHaveProperty('id_token');
      expect(viewer).toMatchObject({ data: { viewer: { id: person } } });
      expect(tools).toMatchObject({ result: { tools: expect.any(Array) } });
      expect(introspection).toMatchObject({ active: true, sub: person, aud: schools.harbour });
      if (env['CLIENT_ID']) expect(introspection).toMatchObject({ client_id: env['CLIENT_ID'] });
      expect(written.at(-1)).toBe('200');
    } finally {
      await schools.close();
    }
  },
  30_000,
);

test('without a code the commands stop, and say what is to be set', async () => {
  const schools = await startSchools();
  const shell = startShell({ CLIENT_ID: memberApp.id });
  try {
    const run = async (): Promise<void> => {
      for (const block of shellBlocks(await read(schools.harbour))) await shell.run(block);
    };
    await expect(run()).rejects.toThrow('set it to the code of the address that the browser ended at');
  } finally {
    shell.kill();
    await schools.close();
  }
});

/** The table of errors: code, status and condition of each row. */
function errorRows(text: string): string[][] {
  const section = text.slice(text.indexOf('\n## Errors\n')).split('\n## ')[1] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return rows.map((row) => row.split(' | ').slice(0, 3)).map(([error = '', ...rest]) => [error.slice(3, -1), ...rest]);
}

/** The text as it is without its line breaks. */
const unfolded = (text: string): string => text.replaceAll('\n', ' ');

describe('what it says', () => {
  let full: Schools;
  let less: Schools;
  let silent: Schools;
  let texts: { readonly full: string; readonly less: string; readonly silent: string };
  beforeAll(async () => {
    full = await startSchools({ campus: everything(), platform: fullPlatform });
    less = await startSchools({ campus: little });
    const keys = { signing: [], published: [published], cookies: ['a secret of the tests'] };
    silent = await startSchools({ campus: { keys } });
    texts = { full: await read(full.harbour), less: await read(less.harbour), silent: await read(silent.harbour) };
  });
  afterAll(() => Promise.all([full.close(), less.close(), silent.close()]));

  test('every scope and every error that there is', () => {
    for (const scope of allScopes) expect(texts.full).toContain(`| \`${scope}\` |`);
    expect(errorRows(texts.full).map(([error, , when]) => [error, when])).toEqual(
      errorCodes.map(({ error, when }) => [error, when]),
    );
  });

  test('how an error comes: with a status, to the redirect URI, or both', () => {
    const statuses = (error: string) =>
      errorRows(texts.full).flatMap(([name, status]) => (name === error ? status : []));
    expect(statuses('invalid_request')).toEqual(['400 or redirect', '405', '413']);
    expect(statuses('access_denied')).toEqual(['redirect', '403']);
    expect(statuses('invalid_scope')).toEqual(['400 or redirect']);
    expect(statuses('invalid_grant')).toEqual(['400']);
    for (const error of ['login_required', 'consent_required', 'request_not_supported', 'unsupported_response_mode']) {
      expect(statuses(error)).toEqual(['redirect']);
    }
    expect(unfolded(texts.full)).toMatch(/form of GraphQL, as 400, 406 .* 408, 413 or 415 .* 404, 408, 413 or 415\./);
    expect(unfolded(texts.full)).toContain('408 is for a body that does not arrive in time');
  });

  test('every way to register that is on, and no other', () => {
    expect(texts.full).toContain(acme.clientName);
    expect(texts.full).toContain('http://127.0.0.1:PORT/');
    expect(texts.full).toContain('claude.ai');
    expect(texts.less).not.toMatch(/\/api\/oauth\/register|127\.0\.0\.1:PORT|metadata document|invalid_redirect_uri/i);
    expect(texts.less).toContain('No client can bring itself in here');
  });

  test('what registration does with members that it does not name', async () => {
    expect(unfolded(texts.full)).toContain('other members, such as `scope` and `grant_types`, are ignored');
    const register = async (more: object) => {
      const body = JSON.stringify({ redirect_uris: ['http://127.0.0.1/'], ...more });
      const headers = { 'content-type': 'application/json' };
      return jsonResponse(await fetch(`${full.harbour}/api/oauth/register`, { method: 'POST', headers, body }));
    };
    const plain = await register({});
    const more = { scope: 'nonsense', grant_types: ['password'], response_types: ['token'], application_type: 'web' };
    const ignored = await register({ ...more, policy: 1 });
    const { client_id: _id, client_id_issued_at: _at, ...registered } = plain.body;
    expect([ignored.status, ignored.body]).toEqual([201, expect.objectContaining(registered)]);
    expect(Object.keys(ignored.body)).toEqual(Object.keys(plain.body));
    for (const refused of [
      { redirect_uris: ['http://127.0.0.1/', 'https://app.example/'] },
      { token_endpoint_auth_method: 'client_secret_post' },
    ]) {
      expect((await register(refused)).status).toBe(400);
    }
  });

  test('tools with what they need, and none where there are none', () => {
    expect(texts.full).toContain('| `my_courses` |');
    expect(texts.full).toContain('`courses:read`; action `publish`: also `courses:write` |');
    expect(texts.full).toContain('Looks at a course \\| or publishes it.');
    expect(texts.less).toContain('There are no tools yet.');
    expect(unfolded(texts.full)).toContain('To get the other tools, authorize first');
    expect(unfolded(texts.full)).toContain('asks for the scopes that you have and those of the challenge together');
    expect(texts.less).not.toContain('authorize first');
  });

  test('lifetimes, limits and the schema as they are configured', () => {
    expect(texts.full).toContain('`access_token` (2 hours)');
    expect(texts.full).toContain('60 from one address, 600 in all');
    expect(texts.full).toContain('/member/graphql/schema.graphql');
    expect(texts.less).toContain('`access_token` (90 seconds)');
    expect(texts.less).toContain('There are no limits');
    expect(texts.full).toContain('slow_down');
    expect(texts.less).not.toMatch(/slow_down|\b429\b/);
    expect(texts.less).not.toContain('schema.graphql');
  });

  test('what the Member API serves, and the page to try it at where there is one', () => {
    expect(texts.full).toMatch(/schools, courses, purchases, events and inbox/);
    expect(unfolded(texts.full)).toContain('schools, courses, purchases and events, needs no scope');
    expect(unfolded(texts.less)).toContain('`id`, `name` and `email` need no scope');
    expect(unfolded(texts.full)).toContain('decide only what UserInfo and the ID token will say');
    expect(unfolded(texts.silent)).toContain('decide only what UserInfo will say');
    expect(texts.full).not.toContain('NOT_SERVED');
    expect(texts.full).toContain(`with a token, is ${full.harbour}/member/graphql.`);
    expect(texts.less).toMatch(/`id`, `name` and `email`, and no more/);
    expect(texts.less).not.toMatch(/inbox|purchases|try it/);
  });

  test('how to check an ID token, where there are any', () => {
    expect(texts.full).toContain('## Check the ID token');
    expect(texts.silent).not.toContain('## Check the ID token');
    expect(texts.silent).toMatch(/There is no\sID token here/);
  });

  test('that agent-auth extensions are not there', () => {
    for (const text of Object.values(texts)) expect(text).toContain('No agent-auth extension');
  });

  test('addresses of this school alone', () => {
    expect(texts.full).toContain(full.harbour);
    expect(texts.full).not.toContain(full.summit);
  });

  test('no value is missing from the text', () => {
    for (const text of Object.values(texts)) expect(text).not.toMatch(/undefined|\[object|\n{3}/);
  });

  test('headings, tables and code blocks are separate blocks of the Markdown', () => {
    for (const text of Object.values(texts)) {
      const code = text.match(/^```\w/gm);
      const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, 'CODE');
      expect(prose).not.toContain('```');
      expect(prose.match(/(?:^|\n\n)CODE(?=\n\n|\n$)/g)).toHaveLength(code?.length ?? 0);
      for (const block of prose.trim().split('\n\n')) {
        const [heading, table] = [/^#+ /gm, /^\|.*\|$/gm].map((line) => block.match(line)?.length ?? 0);
        expect([0, block.split('\n').length]).toContain(table);
        expect(heading).toBe(block.startsWith('#') ? block.split('\n').length : 0);
      }
    }
  });
});

test('a school’s name cannot become markup, and a school without connections says so', () => {
  const facts = { ...littleFacts, registration: [{ name: 'mine' }] };
  const site = { id: 'x', origin: 'https://x.example', name: '<b>[x](y)\n# z', connectionsEnabled: false };
  const text = guide(site, facts);
  expect(text.split('\n')[0]).toBe('# Connect to  b  x (y)   z');
  expect(text).toMatch(/they can make\snone at present/);
  expect(text).toContain('Registration follows the rules of `mine` here.');
});
