import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findGo } from '../../scripts/go-oidc.mjs';
import { findMaven } from '../../scripts/maven.mjs';
import { findNginxJs } from '../../scripts/nginx-js.mjs';
import { findPython } from '../../scripts/python-packages.mjs';
import { dpop } from '../../lib/dpop.ts';
import { holder, proofOf } from '../features/dpop/proofs.ts';
import { listening } from '../helpers/apache.ts';
import { connect, exchange, getCode, reports } from '../helpers/flow.ts';
import { freePort } from '../helpers/free-port.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { listen } from '../helpers/server.ts';
import { serviceToken, withServices } from '../helpers/services.ts';

const root = join(import.meta.dirname, '../..');
const examples = join(root, 'examples/resource-servers');

let schools: Schools;
let dir: string;
let child: ChildProcess | undefined;
let behind: Awaited<ReturnType<typeof listen>> | undefined;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'campus-resource-servers-'));
  schools = await startSchools({ campus: { ...withServices, dpop: dpop() } });
});
afterEach(async () => {
  child?.kill('SIGKILL');
  if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  child = undefined;
  await behind?.close();
  behind = undefined;
});
afterAll(async () => {
  await schools.close();
  rmSync(dir, { recursive: true, force: true });
});

interface Started {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** How each program is started on a port; only those whose language is installed. */
const programs = new Map<string, (port: number) => Started | Promise<Started>>();

const python = findPython('fastapi', ['fastapi==0.*', 'uvicorn==0.*', 'httpx==0.*']);
if (python)
  programs.set('fastapi_api.py', (port) => ({
    command: python.bin,
    args: ['-m', 'uvicorn', '--app-dir', examples, '--port', String(port), 'fastapi_api:app'],
    env: python.env,
  }));

const go = findGo();
if (go)
  programs.set('main.go', () => {
    const bin = join(dir, 'main');
    execFileSync(go.bin, ['build', '-o', bin, join(examples, 'main.go')]);
    return { command: bin, args: [] };
  });

const maven = findMaven();
if (maven)
  programs.set('Courses.java', () => {
    const folder = join(dir, 'spring');
    cpSync(join(examples, 'spring'), folder, { recursive: true });
    execFileSync(maven.bin, ['--quiet', '--batch-mode', 'package'], { cwd: folder });
    return { command: 'java', args: ['-jar', join(folder, 'target/courses-1.jar')] };
  });

const nginx = findNginxJs();
if (nginx)
  programs.set('nginx.conf', async (port) => {
    behind = await listen(() => (req, res) => {
      const { 'x-member': member, 'x-school': school, 'x-roles': roles = '' } = req.headers;
      res.end(JSON.stringify({ courses: ['Knots'], school, member, roles: [roles].flat().join(' ').split(' ') }));
    });
    const folder = join(dir, 'nginx');
    mkdirSync(join(folder, 'logs'), { recursive: true });
    cpSync(join(examples, 'introspection.js'), join(folder, 'introspection.js'));
    const config = readFileSync(join(examples, 'nginx.conf'), 'utf8')
      .replace('listen 8080', `listen 127.0.0.1:${port}`)
      .replace('127.0.0.1:9000', `127.0.0.1:${behind.port}`)
      .replace('/var/cache/nginx/tokens', join(folder, 'tokens'))
      .replaceAll('https://harbour.example', schools.harbour)
      .replaceAll('Host harbour.example', `Host ${new URL(schools.harbour).host}`);
    writeFileSync(
      join(folder, 'nginx.conf'),
      `load_module ${nginx.jsModule};
error_log ${folder}/error.log; pid ${folder}/pid; daemon off; master_process off;
events {}
http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f;
uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
${config} }`,
    );
    return { command: nginx.bin, args: ['-p', folder, '-c', join(folder, 'nginx.conf')], env: nginx.env };
  });

test.each([...programs.keys()])('%s serves the tokens that it may', async (name) => {
  const port = await freePort();
  const { command, args, env } = (await programs.get(name)?.(port)) ?? { command: '', args: [] };
  child = spawn(command, args, {
    env: {
      ...process.env,
      ...env,
      PORT: String(port),
      ISSUER: schools.harbour,
      CLIENT_ID: 'gateway',
      CLIENT_SECRET: 'gateway-secret',
    },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}/courses`;
  await Promise.race([listening(port), once(child, 'exit').then(() => Promise.reject(new Error(`${name} ended`)))]);
  const call = async (token?: string): Promise<[number, string | null, unknown]> => {
    const response = await fetch(url, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
    const text = await response.text();
    return [response.status, response.headers.get('www-authenticate'), response.ok ? JSON.parse(text) : text];
  };
  const tokensFor = async (scope: string): Promise<string[]> => {
    const { body } = await connect(schools.browser('olivia'), schools.harbour, { ...reports, scope });
    return [String(body['access_token']), String(body['refresh_token'])];
  };
  const [token, refreshToken] = await tokensFor('openid courses:read');
  const [narrow] = await tokensFor('openid orders:read');
  const code = await getCode(schools.browser('olivia'), schools.harbour, { ...reports, scope: 'openid courses:read' });
  const DPoP = proofOf(holder(), 'POST', `${schools.harbour}/api/oauth/token`);
  const bound = String((await exchange(code, {}, { DPoP })).body['access_token']);
  const ofService = String((await serviceToken(schools.harbour)).body['access_token']);
  const served = { courses: ['Knots'], school: 'harbour', member: 'olivia', roles: ['owner', 'teacher'] };
  for (let again = 0; again < 2; again += 1) expect(await call(token)).toEqual([200, null, served]);
  for (const refused of [narrow, ofService]) expect((await call(refused))[0]).toBe(403);
  for (const wrong of [undefined, 'unknown', refreshToken, bound]) {
    const [status, challenge] = await call(wrong);
    expect([wrong, status, challenge]).toEqual([wrong, 401, expect.stringMatching(/^Bearer/)]);
  }
});
