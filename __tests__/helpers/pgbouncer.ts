import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPgBouncer } from '../../scripts/pgbouncer-binary.mjs';
import { freePort } from './free-port.ts';
import { nobody, type PostgresServer } from './postgres.ts';

/** A real PgBouncer in front of a server: each transaction gets any of five connections, and prepared statements are lost. */
export async function startPgBouncer(server: PostgresServer): Promise<{ url: string; stop(): Promise<void> }> {
  const { bin, env, version } = findPgBouncer();
  const dir = mkdtempSync(join(tmpdir(), 'campus-pgbouncer-'));
  chmodSync(dir, 0o755);
  const port = await freePort();
  const settings = [
    '[databases]',
    `postgres = host=127.0.0.1 port=${server.port} user=postgres`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 5',
    // Since 1.21 it can keep them.
    ...(version[0] > 1 || version[1] >= 21 ? ['max_prepared_statements = 0'] : []),
  ];
  const file = join(dir, 'pgbouncer.ini');
  writeFileSync(file, settings.join('\n'));
  const child = spawn(bin, [file], { ...nobody, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (bytes: Buffer) => {
      log += bytes.toString();
      if (log.includes('process up')) resolve();
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`pgbouncer ended with ${code}\n${log}`)));
  });
  return {
    url: `postgres://campus@127.0.0.1:${port}/postgres`,
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      rmSync(dir, { recursive: true });
    },
  };
}
