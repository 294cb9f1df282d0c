import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { freePort } from '../helpers/free-port.ts';
import { root, run } from './commands.ts';

// nginx may be downloaded first.
jest.setTimeout(300_000);

let platform: ChildProcess;
let origin = '';
let certificate = '';
let processes: readonly number[] = [];
beforeAll(async () => {
  const env = { ...process.env, PORT: String(await freePort()) };
  platform = spawn(process.execPath, ['scripts/production.mjs'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!platform.stdout) throw new Error('what the script prints cannot be read');
  for await (const line of createInterface({ input: platform.stdout })) {
    const [name = '', ...words] = line.split(/\s{2,}/);
    const [text = ''] = words;
    if (name === 'Harbour School') origin = new URL(text).origin;
    if (name === 'Certificate') certificate = text.split(' ')[0] ?? '';
    if (name === 'Processes') processes = (text.match(/\d+/g) ?? []).map(Number);
    if (name === 'Stop') break;
  }
});
afterAll(async () => {
  if (platform.exitCode === null && platform.kill('SIGTERM')) await once(platform, 'exit');
  expect(platform.exitCode).toBe(0);
});

/** Runs an app that trusts the certificate of the example. */
const trusting = (...args: readonly string[]): Promise<string> =>
  run('env', [`NODE_EXTRA_CA_CERTS=${certificate}`, process.execPath, ...args]);

test('compose.yaml has the processes that nginx.conf names, on their ports', () => {
  const [nginx = '', compose = ''] = ['nginx.conf', 'compose.yaml'].map((file) =>
    readFileSync(join(root, 'examples/production', file), 'utf8'),
  );
  const named = [...nginx.matchAll(/server (\w+):(\d+) /g)].map(([, name, port]) => `${name}:${port}`);
  const made = [...compose.matchAll(/^ {2}(\w+):\n(?: {4}.*\n)*? {4}environment: \{ PORT: (\d+),/gm)];
  expect(named).toHaveLength(2);
  expect(made.map(([, name, port]) => `${name}:${port}`)).toEqual(named);
});

test('doctor finds nothing wrong behind nginx', async () => {
  expect(processes).toHaveLength(2);
  expect(await trusting('dist/lib/cli/main.js', 'doctor', origin, '--write')).toContain('no problems');
});

test('a state of 1,900 characters of JSON passes nginx, to the end', async () => {
  expect(await trusting('__tests__/package/long-state.ts', origin)).toMatch(/^1900 access_token .*id_token/);
});

test('a client walks through the whole flow over both processes, and over one when the other has ended', async () => {
  const walk = (): Promise<string> =>
    trusting('examples/client/walkthrough.ts', '--issuer', origin, '--register', '--auto');
  expect(await walk()).toContain('access_token');
  process.kill(processes[0] ?? 0, 'SIGKILL');
  expect(await walk()).toContain('access_token');
});
