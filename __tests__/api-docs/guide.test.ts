import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { errorCodes } from '../../lib/describe/error-codes.ts';
import { guide } from '../../lib/describe/guide/guide.ts';
import { allScopes } from '../helpers/scopes.ts';
import { authorize, jsonResponse, memberApp, reports } from '../helpers/flow.ts';
import { signingKey } from '../helpers/keys.ts';
import { plugins, type Schools, type SchoolsOptions, startSchools } from '../helpers/schools.ts';
import { registration } from '../../lib/features/registration/feature.ts';
import { memberSection } from '../../lib/describe/guide/resources.ts';
import type { MemberApiDescription } from '../../lib/plugin-contract/plugin.ts';
import { harbourSite } from '../helpers/sites.ts';
import { acme, everything, little, littleService } from './configurations.ts';
import { shellBlocks, startShell } from '../helpers/shell.ts';

const published = await signingKey('next');

async function read(origin: string): Promise<string> {
  return (await fetch(`${origin}/auth.md`)).text();
}

/** Runs every command of the guide like a reader would, and returns the output of each block. */
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

const ways: [string, string, SchoolsOptions, Record<string, string>][] = [
  ['a client that registers', 'olivia', everything(), {}],
  ['a client that the school created', 'sam', little, { CLIENT_ID: memberApp.id }],
  [
    'a client that could have registered',
    'sam',
    everything(),
    { CLIENT_ID: memberApp.id, SCOPE: 'openid account:read' },
  ],
  ['a confidential client', 'olivia', little, reportsEnv],
];

test('/auth.md says that sign-in needs a window', async () => {
  const schools = await startSchools(little);
  const text = await read(schools.harbour);
  await schools.close();
  expect(text).toContain('it cannot be shown in a frame');
});

test.each(ways)('/auth.md: all commands work in order for %s', async (_who, person, options, env) => {
  const schools = await startSchools(options);
  try {
    const written = await follow(schools, person, env);
    const responses = written.filter((text) => text.startsWith('{')).map((text) => JSON.parse(text));
    const [tokens, claims, refreshed, viewer, tools, introspection] = responses;
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
});

test('/auth.md: without CODE the commands stop and name the variable to set', async () => {
  const schools = await startSchools(plugins);
  const shell = startShell({ CLIENT_ID: memberApp.id });
  try {
    const run = async (): Promise<void> => {
      for (const block of shellBlocks(await read(schools.harbour))) await shell.run(block);
    };
    await expect(run()).rejects.toThrow('set it to the code parameter of the redirect URI');
  } finally {
    shell.kill();
    await schools.close();
  }
});

/** The error table: code, status and condition of each row. */
function errorRows(text: string): string[][] {
  const section = text.slice(text.indexOf('\n## Errors\n')).split('\n## ')[1] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return rows.map((row) => row.split(' | ').slice(0, 3)).map(([error = '', ...rest]) => [error.slice(3, -1), ...rest]);
}

/** The text without line breaks. */
const unfolded = (text: string): string => text.replaceAll('\n', ' ');

describe('/auth.md content', () => {
  let full: Schools;
  let less: Schools;
  let silent: Schools;
  let texts: { readonly full: string; readonly less: string; readonly silent: string };
  beforeAll(async () => {
    full = await startSchools(everything());
    less = await startSchools(little);
    const keys = { signing: [], published: [published], cookies: ['a secret of the tests'] };
    silent = await startSchools({ ...plugins, campus: { keys } });
    texts = { full: await read(full.harbour), less: await read(less.harbour), silent: await read(silent.harbour) };
  });
  afterAll(() => Promise.all([full.close(), less.close(), silent.close()]));

  test('lists every scope and every error code', () => {
    for (const scope of allScopes) expect(texts.full).toContain(`| \`${scope}\` |`);
    expect(errorRows(texts.full).map(([error, , when]) => [error, when])).toEqual(
      errorCodes.map(({ error, when }) => [error, when]),
    );
  });

  test('error table: status, redirect, or both', () => {
    const statuses = (error: string) =>
      errorRows(texts.full).flatMap(([name, status]) => (name === error ? status : []));
    expect(statuses('invalid_request')).toEqual(['400 or redirect', '405', '413']);
    expect(statuses('access_denied')).toEqual(['redirect', '403']);
    expect(statuses('invalid_scope')).toEqual(['400 or redirect']);
    expect(statuses('invalid_grant')).toEqual(['400']);
    for (const error of ['login_required', 'consent_required', 'request_not_supported', 'unsupported_response_mode']) {
      expect(statuses(error)).toEqual(['redirect']);
    }
    expect(unfolded(texts.full)).toMatch(
      /GraphQL error with status 400, 406 .* 408, 413 or 415 .* 404, 408, 413 or 415; /,
    );
    expect(unfolded(texts.full)).toContain('408 means that the body did not arrive in time');
  });

  test('lists the enabled ways to register and no other', () => {
    expect(texts.full).toContain(acme.clientName);
    expect(texts.full).toContain('http://127.0.0.1:PORT/');
    expect(texts.full).toContain('claude.ai');
    expect(texts.less).not.toMatch(/\/api\/oauth\/register|127\.0\.0\.1:PORT|metadata document|invalid_redirect_uri/i);
    expect(texts.less).toContain('Clients cannot register themselves here');
  });

  test('registration answers with what was registered instead of what was asked for, as stated', async () => {
    expect(unfolded(texts.full)).toContain(
      'such as `scope`, `grant_types` or `token_endpoint_auth_method`, does not matter',
    );
    const register = async (more: object) => {
      const body = JSON.stringify({ redirect_uris: ['http://127.0.0.1/'], ...more });
      const headers = { 'content-type': 'application/json' };
      return jsonResponse(await fetch(`${full.harbour}/api/oauth/register`, { method: 'POST', headers, body }));
    };
    const plain = await register({});
    const more = { scope: 'nonsense', grant_types: ['password'], response_types: ['token'], application_type: 'web' };
    const ignored = await register({ ...more, token_endpoint_auth_method: 'client_secret_post', policy: 1 });
    const { client_id: _id, client_id_issued_at: _at, ...registered } = plain.body;
    expect([ignored.status, ignored.body]).toEqual([201, expect.objectContaining(registered)]);
    expect(Object.keys(ignored.body)).toEqual(Object.keys(plain.body));
    expect((await register({ redirect_uris: ['http://127.0.0.1/', 'https://app.example/'] })).status).toBe(400);
  });

  test('lists tools with their scopes, or says that there are none', () => {
    expect(texts.full).toContain('| `my_courses` |');
    expect(texts.full).toContain('`courses:read`; action `publish`: also `courses:write` |');
    expect(texts.full).toContain('Looks at a course \\| or publishes it.');
    expect(texts.less).toContain('There are no tools yet.');
    expect(texts.full).toContain(`| \`${full.harbour}/mcp/operator\` | for every request |`);
    expect(unfolded(texts.full)).toContain('After a 403, request the scopes that the challenge names');
  });

  test('states the configured lifetimes and limits, and links the schema if it is published', () => {
    expect(texts.full).toContain('`access_token` (2 hours)');
    expect(texts.full).toContain('60 per IP address, 600 in total');
    expect(texts.full).toContain('/member/graphql/schema.graphql');
    expect(texts.less).toContain('`access_token` (90 seconds)');
    expect(texts.less).toContain('There are no request limits');
    expect(texts.full).toContain('slow_down');
    expect(texts.less).not.toMatch(/slow_down|\b429\b/);
    expect(texts.less).not.toContain('schema.graphql');
  });

  test('Member API: states what is served, and links GraphiQL if enabled', () => {
    expect(unfolded(texts.full)).toMatch(/schools, courses, purchases, events and inbox/);
    expect(unfolded(texts.full)).toContain('schools, courses, purchases and events) need no scope');
    expect(unfolded(texts.less)).toContain('`id`, `name` and `email` need no scope');
    expect(unfolded(texts.full)).toContain('only determine the claims in UserInfo and the ID token.');
    expect(unfolded(texts.silent)).toContain('only determine the claims in UserInfo.');
    expect(texts.full).not.toContain('serves only');
    expect(unfolded(texts.full)).toContain(
      `To try queries with a token in a browser, open ${full.harbour}/member/graphql.`,
    );
    expect(unfolded(texts.less)).toContain('only `id`, `name` and `email` of the viewer');
    expect(texts.less).not.toMatch(/inbox|purchases|[Tt]o try/);
  });

  test('explains ID token verification if ID tokens are issued', () => {
    expect(texts.full).toContain('## Check the ID token');
    expect(texts.silent).not.toContain('## Check the ID token');
    expect(unfolded(texts.silent)).toContain('This school does not issue ID tokens');
  });

  test('says that agent-auth extensions are not supported', () => {
    for (const text of Object.values(texts))
      expect(unfolded(text)).toContain('No agent-auth extension of any identity vendor is supported');
  });

  test('contains only URLs of this school', () => {
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

test('/auth.md: escapes Markdown in the school’s name, and says if connections are not enabled', () => {
  const policy = { name: 'mine', decide: () => undefined };
  const service = {
    ...littleService,
    features: [registration.described ?? {}],
    policies: { registration: [policy], boundaries: [] },
  };
  const site = { id: 'x', origin: 'https://x.example', name: '<b>[x](y)\n# z', connectionsEnabled: false };
  const text = guide(site, service);
  expect(text.split('\n')[0]).toBe('# Connect to  b  x (y)   z');
  expect(unfolded(text)).toContain('Connections are not enabled at this school');
  expect(text).toContain('Registration follows the policy `mine` of this platform.');
});

test('/auth.md: says which limits there are, or that there are none, and then omits slow_down', () => {
  const hourly = { perAddress: 1, perSite: 2 };
  const limits = {
    registrations: hourly,
    documents: hourly,
    authorizations: { perAddress: 4, perSite: 5 },
    userCodes: hourly,
    anonymousCalls: hourly,
    tokenCalls: { perMember: 3 },
    memberCalls: { perMember: 6 },
    pages: { perMember: 1200 },
    refreshes: { perFamily: 4 },
    assertions: { perClient: 7, failedPerAddress: 8, failedPerClient: 9 },
  };
  const site = { id: 'x', origin: 'https://x.example', name: 'X', connectionsEnabled: true };
  const unlimited = guide(site, { ...littleService, limits: false });
  expect(unlimited).toContain('\n\nThere are no request limits.');
  expect(unlimited).toContain('has at most 8192 characters');
  expect(unlimited).not.toMatch(/slow_down|\b429\b|limit per hour/);
  const limited = guide(site, { ...littleService, limits });
  expect(limited).toContain('| requests to the tool endpoint without a token | 1 per IP address, 2 in total |');
  expect(limited).toContain('| authorization requests before sign-in | 4 per IP address, 5 in total |');
  expect(limited).toContain('| authorization requests of a signed-in person | 4 per person |');
  expect(limited).toContain('| refreshes | 4 per authorization |');
  expect(limited).toContain('| requests to the Member API and UserInfo | 6 per person |');
  expect(limited).toContain('slow_down');
  expect(guide(site, { ...littleService, limits, mcp: undefined })).not.toContain('requests to the tool endpoint');
});

test('Member API: names the fields of a platform that has a part of the data, and the scopes of those', () => {
  const section = (...fields: MemberApiDescription['fields']): string =>
    unfolded(
      memberSection(harbourSite(), { schema: false, graphiql: false, open: [], fields }, true)
        .filter((part) => typeof part === 'string')
        .join('\n'),
    );
  const courses = section('enrolledCourses');
  expect(courses).toContain('serves only `id`, `name`, `email` and `enrolledCourses` of the viewer.');
  expect(courses).toContain('`id`, `name`, `email` and `enrolledCourses` need no scope');
  expect(courses).not.toMatch(/account:|mutation/);
  const inbox = section('notifications', 'markNotificationRead', 'markAllNotificationsRead');
  expect(inbox).toContain('Reading `notifications` requires `account:read`.');
  expect(inbox).toContain(
    'The mutations are `markNotificationRead` and `markAllNotificationsRead`, which require `account:write`.',
  );
  expect(section('markNotificationRead')).toContain('The mutation is `markNotificationRead`, which requires');
});
