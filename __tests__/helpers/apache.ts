import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApacheBinary } from '../../scripts/apache-binary.mjs';
import { nobody } from './postgres.ts';

const modules = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'headers', 'auth_openidc'];

interface ApacheSettings {
  readonly port: number;
  /** As an administrator writes it. */
  readonly config: string;
  /** As `/etc/apache2/envvars` exports it. */
  readonly variables: Readonly<Record<string, string>>;
}

/** A real Apache with mod_auth_openidc, that answers every path with an empty page and the header `X-User`. */
export async function startApache(
  { bin, modules: folder, env }: ApacheBinary,
  { port, config, variables }: ApacheSettings,
): Promise<{ log(): string; stop(): Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), 'campus-apache-'));
  chmodSync(dir, 0o777);
  const file = join(dir, 'apache2.conf');
  const lines = [
    `ServerRoot ${dir}`,
    `DefaultRuntimeDir ${dir}`,
    `PidFile ${dir}/pid`,
    `ErrorLog ${dir}/log`,
    `Listen 127.0.0.1:${port}`,
    `ServerName 127.0.0.1:${port}`,
    'UseCanonicalName On',
    `DocumentRoot ${dir}`,
    ...modules.map((name) => `LoadModule ${name}_module ${folder}/mod_${name}.so`),
    'Header always set X-User "expr=%{REMOTE_USER}"',
    config,
  ];
  writeFileSync(file, lines.join('\n'));
  const child = spawn(bin, ['-X', '-f', file], {
    ...nobody,
    env: { ...process.env, ...env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const log = (): string => {
    try {
      return output + readFileSync(join(dir, 'log'), 'utf8');
    } catch {
      return output;
    }
  };
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`Apache ended with ${String(code)}\n${log()}`);
  });
  ended.catch(() => undefined);
  await Promise.race([ended, listening(port)]);
  return {
    log,
    stop: async () => {
      child.kill('SIGKILL');
      await ended.catch(() => undefined);
      rmSync(dir, { recursive: true });
    },
  };
}

/** Resolves when a website on this machine answers. */
export async function listening(port: number): Promise<void> {
  for (;;) {
    try {
      await fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' });
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
