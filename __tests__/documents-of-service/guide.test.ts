import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CampusOptions } from '../../lib/index.ts';
import { errorCodes } from '../../lib/error-codes.ts';
import { guide } from '../../lib/guide/guide.ts';
import { allScopes } from '../../lib/scopes.ts';
import type { ServiceFacts } from '../../lib/service-facts.ts';
import { authorize } from '../helpers/flow.ts';
import { signingKey } from '../helpers/keys.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { acme, everything, little } from './configurations.ts';
import { type Shell, shellBlocks, startShell } from './shell.ts';

const published = await signingKey('next');

async function read(origin: string): Promise<string> {
  return (await fetch(`${origin}/auth.md`)).text();
}

/** Runs every command of the guide as a reader would, and answers what each block wrote. */
async function follow(schools: Schools, person: string, clientId?: string): Promise<string[]> {
  const shell: Shell = startShell(clientId === undefined ? {} : { CLIENT_ID: clientId });
  const written: string[] = [];
  try {
    for (const block of shellBlocks(await read(schools.harbour))) {
      const address = written.findLast((text) => text.includes('/oauth/authorize?'));
      const asks = block.includes('read -r CODE');
      const { url } = asks ? await authorize(schools.browser(person), new URL(address ?? '')) : { url: undefined };
      const text = await shell.run(block, url?.searchParams.get('code') ?? undefined);
      written.push(text.replace(/^code: /, ''));
    }
  } finally {
    await shell.close();
  }
  return written;
}

const ways: [string, string, Partial<CampusOptions>, string | undefined][] = [
  ['a tool that registers', 'olivia', everything(), undefined],
  ['a client that the school made', 'sam', little, 'member-app'],
];

test.each(ways)(
  'every command works, one after the other, for %s',
  async (_who, person, campus, clientId) => {
    const schools = await startSchools({ campus });
    try {
      const written = await follow(schools, person, clientId);
      const answers = written.filter((text) => text.startsWith('{')).map((text) => JSON.parse(text));
      const [tokens, claims, refreshed, viewer, tools, introspection] = answers;
      expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'openid profile email' });
      expect(claims).toMatchObject({ sub: person, org_id: 'harbour' });
      expect(refreshed.access_token).not.toBe(tokens.access_token);
      expect(refreshed).not.toHaveProperty('id_token');
      expect(viewer).toMatchObject({ data: { viewer: { id: person } } });
      expect(tools).toMatchObject({ result: { tools: expect.any(Array) } });
      expect(introspection).toMatchObject({ active: true, sub: person, aud: schools.harbour });
      expect(written.at(-1)).toBe('200');
    } finally {
      await schools.close();
    }
  },
  30_000,
);

describe('what it says', () => {
  let full: Schools;
  let less: Schools;
  let silent: Schools;
  let texts: { readonly full: string; readonly less: string; readonly silent: string };
  beforeAll(async () => {
    full = await startSchools({ campus: everything() });
    less = await startSchools({ campus: little });
    const keys = { signing: [], published: [published], cookies: ['a secret of the tests'] };
    silent = await startSchools({ campus: { keys } });
    texts = { full: await read(full.harbour), less: await read(less.harbour), silent: await read(silent.harbour) };
  });
  afterAll(() => Promise.all([full.close(), less.close(), silent.close()]));

  test('every scope and every error that there is', () => {
    for (const scope of allScopes) expect(texts.full).toContain(`| \`${scope}\` |`);
    for (const { error } of errorCodes) expect(texts.full).toContain(`| \`${error}\` |`);
  });

  test('every way to register that is on, and no other', () => {
    expect(texts.full).toContain(acme.clientName);
    expect(texts.full).toContain('http://127.0.0.1:PORT/');
    expect(texts.full).toContain('claude.ai');
    expect(texts.less).not.toMatch(/\/api\/oauth\/register|127\.0\.0\.1:PORT|metadata document|invalid_redirect_uri/i);
    expect(texts.less).toContain('No client can bring itself in here');
  });

  test('tools with what they need, and none where there are none', () => {
    expect(texts.full).toContain('| `my_courses` |');
    expect(texts.full).toContain('`courses:read`; action `publish`: also `courses:write` |');
    expect(texts.full).toContain('Looks at a course \\| or publishes it.');
    expect(texts.less).toContain('There are no tools yet.');
  });

  test('lifetimes, limits and the schema as they are configured', () => {
    expect(texts.full).toContain('`access_token` (2 hours)');
    expect(texts.full).toContain('60 from one address, 600 in all');
    expect(texts.full).toContain('/member/graphql/schema.graphql');
    expect(texts.less).toContain('`access_token` (90 seconds)');
    expect(texts.less).toContain('There are no limits');
    expect(texts.less).not.toContain('schema.graphql');
  });

  test('how to check an ID token, where there are any', () => {
    expect(texts.full).toContain('## Check the ID token');
    expect(texts.silent).not.toContain('## Check the ID token');
    expect(texts.silent).toContain('There is no ID token here');
  });

  test('that agent-auth extensions are not there', () => {
    for (const text of Object.values(texts)) expect(text).toContain('No agent-auth extension');
  });

  test('addresses of this school alone', () => {
    expect(texts.full).toContain(full.harbour);
    expect(texts.full).not.toContain(full.summit);
  });

  test('no line is left half-written', () => {
    for (const text of Object.values(texts)) expect(text).not.toMatch(/undefined|\[object|\n{3}/);
  });
});

test('a school’s name cannot become markup, and a school without connections says so', () => {
  const facts: ServiceFacts = {
    signs: true,
    registration: [{ name: 'mine' }],
    documents: undefined,
    lifetimes: { authorizationCode: 60, accessToken: 1, refreshToken: 1, grant: 1, interaction: 1, refreshGrace: 1 },
    limits: false,
    tools: [],
    schema: false,
  };
  const site = { id: 'x', origin: 'https://x.example', name: '<b>[x](y)\n# z', connectionsEnabled: false };
  const text = guide(site, facts);
  expect(text.split('\n')[0]).toBe('# Connect to  b  x (y)   z');
  expect(text).toContain('they can make none at present');
  expect(text).toContain('Registration follows the rules of `mine` here.');
});
