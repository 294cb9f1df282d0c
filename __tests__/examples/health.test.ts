import { afterEach, expect, test } from '@jest/globals';
import Koa from 'koa';
import type { Campus } from '../../lib/index.ts';
import { healthChecks } from '../../examples/school-platform/health.ts';
import { listen, type TestServer } from '../helpers/server.ts';

let server: TestServer;
afterEach(() => server.close());

async function start(health: Awaited<ReturnType<Campus['health']>>) {
  const checks = healthChecks({ health: async () => health });
  const app = new Koa().use(checks.middleware);
  server = await listen(() => (request, response) => void app.callback()(request, response));
  const origin = `http://127.0.0.1:${server.port}`;
  const statuses = async () =>
    Promise.all(['/livez', '/readyz', '/other'].map(async (path) => (await fetch(`${origin}${path}`)).status));
  return { checks, statuses };
}

test('while the store does not respond a process is alive and not ready', async () => {
  const { statuses } = await start({ ok: false, milliseconds: 5000 });
  expect(await statuses()).toEqual([200, 503, 404]);
});

test('a process that is being stopped is alive and no longer ready', async () => {
  const { checks, statuses } = await start({ ok: true, milliseconds: 1 });
  expect(await statuses()).toEqual([200, 200, 404]);
  checks.stop();
  expect(await statuses()).toEqual([200, 503, 404]);
});
