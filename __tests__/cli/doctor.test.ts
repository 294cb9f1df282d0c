import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Middleware } from 'koa';
import { startDemo } from '../../examples/school-platform/start.ts';
import { freePort } from '../helpers/free-port.ts';
import { deviceAuthorization } from '../../lib/grant-types.ts';
import type { Check } from '../../lib/cli/doctor/exam.ts';
import { boundedFetch } from '../../lib/cli/doctor/probe.ts';
import { defineTool } from '../../lib/mcp/index.ts';
import { loopbackClients } from '../../policies/index.ts';
import { listen } from '../helpers/server.ts';
import { startSchools } from '../helpers/schools.ts';
import { behind, brokenDeployments, inTwoProcesses, twoProcesses } from './broken.ts';
import { campusOidc } from './command.ts';

const tool = defineTool({
  name: 'hello',
  description: 'Says hello.',
  access: { scopes: ['courses:read'] },
  run: () => 'hello',
});

async function doctor(origin: string, ...options: string[]): Promise<{ code: number | null; checks: Check[] }> {
  const { code, out } = await campusOidc(['doctor', origin, '--json', ...options]);
  return { code, checks: JSON.parse(out).checks };
}

const wrongIds = (checks: readonly Check[]): string[] =>
  checks.filter(({ mark }) => mark === 'error' || mark === 'warning').map(({ id }) => id);

describe('the demo', () => {
  let demo: Awaited<ReturnType<typeof startDemo>>;
  beforeAll(async () => {
    demo = await startDemo({ port: await freePort() });
  });
  afterAll(() => demo.close());

  test('is all green, and the documentation shows how that begins and ends', async () => {
    const { harbour } = demo.origins;
    const { code, out, err } = await campusOidc(['doctor', harbour]);
    expect({ code, err, wrong: out.match(/^(?:FAIL|warn).*/gm) }).toEqual({ code: 0, err: '', wrong: null });
    expect(out).not.toContain('\u001B');
    expect(out).toMatch(/^skip Claude Code, document: finds the sign-in page; use --write to try the sign-in itself$/m);
    const page = readFileSync(join(import.meta.dirname, '../../docs/operate/commands.md'), 'utf8');
    const shown = page.split('```text\n')[1]?.split('```')[0]?.split('\n') ?? [];
    const lines = new Set(out.replaceAll(harbour, 'http://localhost:3000').split('\n').map(withoutNumbers));
    expect(shown.length).toBeGreaterThan(8);
    expect(shown.map(withoutNumbers).filter((line) => line !== '…' && !lines.has(line))).toEqual([]);
  });

  test('registers nothing without --write', async () => {
    const { harbour } = demo.origins;
    const { checks } = await doctor(harbour);
    expect(checks.find(({ id }) => id === 'registration')?.text).toContain('use --write to register a client');
  });
});

/** Keys and times differ. */
function withoutNumbers(line: string): string {
  return line.replace(/^(ok {3}keys: ).*/, '$1').replaceAll(/\d+/g, '0');
}

describe('broken deployments', () => {
  test('what the test deploys is fine if nothing is in front, also with --write', async () => {
    const schools = await startSchools({
      memberApi: {},
      mcp: { tools: [tool] },
      campus: { registration: [loopbackClients()] },
    });
    const { code, checks } = await doctor(schools.harbour);
    expect([code, wrongIds(checks)]).toEqual([0, []]);
    const written = await doctor(schools.harbour, '--write');
    expect([written.code, wrongIds(written.checks)]).toEqual([0, []]);
    expect(written.checks.find(({ id }) => id === 'registration')?.text).toContain('has registered');
    expect(written.checks.find(({ id }) => id === 'app LibreChat')?.mark).toBe('info');
    expect(schools.faults).toEqual([]);
    await schools.close();
  });

  test('a proxy takes Authorization away, where clients may use HTTP Basic', async () => {
    const clientAuthentication = ['client_secret_basic', 'private_key_jwt'] as const;
    const campus = { clientAuthentication, grants: [deviceAuthorization()] };
    const basic = ['token-basic', 'introspection-basic'];
    const right = await startSchools({ campus });
    const ids = (await doctor(right.harbour)).checks.flatMap(({ id, mark }) => (mark === 'ok' ? id : []));
    expect(ids).toEqual(expect.arrayContaining(basic));
    await right.close();
    const proxy: Middleware = (ctx, next) => {
      delete ctx.req.headers.authorization;
      return next();
    };
    const schools = await startSchools({ campus, app: behind(proxy) });
    const { checks } = await doctor(schools.harbour);
    await schools.close();
    expect(wrongIds(checks)).toEqual(expect.arrayContaining(basic));
  });

  test.each(brokenDeployments)('$how', async ({ found, proxy }) => {
    const schools = await startSchools({
      memberApi: {},
      app: behind(proxy),
      mcp: { tools: [tool] },
      campus: { registration: [loopbackClients()] },
    });
    const { code, checks } = await doctor(schools.harbour);
    await schools.close();
    expect(wrongIds(checks)).toEqual(expect.arrayContaining([...found]));
    expect(code).toBe(1);
    expect(checks.filter(({ mark, fix }) => mark === 'error' && fix === undefined)).toEqual([]);
    const headers = checks.filter(
      ({ id, mark }) => mark === 'error' && /^(?:cors|cache|challenge|form-action)/.test(id),
    );
    for (const { fix } of headers) expect(fix).toContain('middleware of the application');
  });

  test.each(twoProcesses)('behind one load balancer, $how', async ({ found, says, isPublic = false, second }) => {
    const schools = await startSchools({
      app: inTwoProcesses(second),
      mcp: { tools: [tool] },
      campus: { registration: [loopbackClients()] },
    });
    const [plain, written] = [await doctor(schools.harbour), await doctor(schools.harbour, '--write')];
    await schools.close();
    expect(wrongIds(plain.checks)).toEqual(isPublic ? found : []);
    expect(wrongIds(written.checks)).toEqual(found);
    const texts = [...written.checks, ...(isPublic ? plain.checks : [])].map(({ text }) => text);
    expect(texts.filter((text) => text.startsWith(says))).toHaveLength(isPublic ? 2 : 1);
    expect(schools.faults).toEqual([]);
  });

  test('a proxy has room for the lines and headers of most requests only, as nginx by default', async () => {
    const proxy: Middleware = async (ctx, next) => {
      if (ctx.originalUrl.length > 8192) {
        ctx.status = 414;
        return;
      }
      await next();
      const { location = '' } = ctx.response.headers;
      if (location.length < 4096) return;
      ctx.remove('location');
      ctx.status = 502;
    };
    const schools = await startSchools({ app: behind(proxy), campus: { registration: [loopbackClients()] } });
    const [plain, written] = [await doctor(schools.harbour), await doctor(schools.harbour, '--write')];
    await schools.close();
    expect(wrongIds(plain.checks)).toEqual(['long-request']);
    expect(wrongIds(written.checks)).toEqual(['long-request', 'long-state']);
    for (const { fix } of written.checks.filter(({ mark }) => mark === 'error'))
      expect(fix).toContain('proxy_buffer_size 16k');
  });

  test('there are at least twenty of them', () => {
    expect(brokenDeployments.length).toBeGreaterThanOrEqual(20);
  });

  test('hosted assistants do not come to the port of the origin', async () => {
    const { checks } = await doctor('https://harbour.invalid:8443');
    expect(checks).toContainEqual(expect.objectContaining({ id: 'port', fix: expect.stringContaining('at port 443') }));
  });

  test('nothing listens', async () => {
    const { code, checks } = await doctor('http://127.0.0.1:1');
    expect([code, wrongIds(checks)]).toEqual([1, ['reach http://127.0.0.1:1']]);
  });

  test('a name below localhost is one that this system does not find', async () => {
    const cause = Object.assign(new Error('getaddrinfo ENOTFOUND harbour.localhost'), { code: 'ENOTFOUND' });
    const fetching = jest.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed', { cause }));
    const local = boundedFetch('http://harbour.localhost:3000', [])('http://harbour.localhost:3000/');
    await expect(local).rejects.toMatchObject({ fix: expect.stringContaining('add "127.0.0.1 harbour.localhost"') });
    const other = boundedFetch('https://harbour.example', [])('https://harbour.example/');
    await expect(other).rejects.toMatchObject({ fix: expect.stringContaining('check the name') });
    fetching.mockRestore();
    fetching.mockRestore();
  });

  test.each(['1B', '9B', '0A', '0D', '7F', '202E', '2066', '200B', 'AD', 'FEFF', '2028', 'E0041'])(
    'it is not a school, and writes U+%s to the terminal',
    async (codePoint) => {
      const hostile = `${String.fromCodePoint(Number.parseInt(codePoint, 16))}[2J`;
      const other = await listen(() => (_req, res) => {
        const document = { issuer: `${hostile}http://evil.example`, [hostile]: 1 };
        res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
      });
      const origin = `http://127.0.0.1:${other.port}`;
      const { code, out, err } = await campusOidc(['doctor', origin]);
      const asJson = await campusOidc(['doctor', origin, '--json']);
      await other.close();
      expect([code, err]).toEqual([1, '']);
      expect(out).toMatch(/^FAIL the issuer is \\u[\w\\[]+http:\/\/evil\.example/m);
      expect(out + asJson.out).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}]/u);
      expect(
        JSON.parse(asJson.out)
          .checks.map(({ text }: Check) => text)
          .join(),
      ).toContain(`is ${hostile}http:`);
    },
  );

  test.each([
    'http://[',
    'http://user:secret@%/',
    '//[',
    'mailto:x@y.example',
    '/path',
    1,
    { toString: 1, valueOf: 1 },
    [['http://[']],
    'ten thousand levels',
  ])('it is no school, and every address in its documents is %j', async (address) => {
    const names = ['registration', 'token', 'authorization', 'userinfo', 'revocation', 'introspection'];
    const deep = '['.repeat(10_000) + ']'.repeat(10_000);
    const other = await listen((port) => (req, res) => {
      const origin = `http://127.0.0.1:${port}`;
      const document = {
        ...Object.fromEntries(names.map((name) => [`${name}_endpoint`, address])),
        issuer: origin,
        jwks_uri: address,
        resource: `${origin}/mcp`,
        authorization_servers: [origin],
        protected_resources: [`${origin}/mcp`, `${origin}/mcp/operator`, `${origin}//[`, address],
        servers: [{ url: address }, address],
        codePointchallenge_methods_supported: ['S256'],
        client_id_metadata_document_supported: req.url?.length === 1,
        keys: [address],
      };
      const challenge = 'Bearer resource_metadata="http://["';
      res.writeHead(req.method === 'POST' ? 401 : 200, {
        'content-type': 'application/json',
        'www-authenticate': challenge,
      });
      res.end(JSON.stringify(document).replaceAll('"ten thousand levels"', deep));
    });
    const origin = `http://127.0.0.1:${other.port}`;
    const ended = [await campusOidc(['doctor', origin]), await campusOidc(['doctor', origin, '--write'])];
    await other.close();
    expect(ended.map(({ code, err }) => [code, err])).toEqual([
      [1, ''],
      [1, ''],
    ]);
  });

  test('a response without an end is given up', async () => {
    const server = await listen(() => (_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        while (!res.destroyed && res.write('x'.repeat(100_000)));
        if (!res.destroyed) res.once('drain', more);
      };
      more();
    });
    const { checks } = await doctor(`http://127.0.0.1:${server.port}`);
    expect(checks.at(-1)?.text).toContain('longer than 2000000 bytes');
    await server.close();
  });
});

test.each([
  [['doctor'], 'name one origin'],
  [['doctor', 'harbour'], 'an origin must be like https://harbour.example, not harbour'],
  [['doctor', 'https://harbour.example/mcp'], 'an origin must not have a path; use https://harbour.example'],
  [['doctor', 'https://harbour.example', '--fast'], 'there is no option --fast; see campus-oidc doctor --help'],
])('%j is wrong usage', async (args, message) => {
  const { code, out, err } = await campusOidc(args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(message);
});
