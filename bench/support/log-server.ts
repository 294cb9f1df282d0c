import { Pool } from 'pg';
import { postgresStore } from '../../adapters/postgres/index.ts';
import { redisStore } from '../../adapters/redis/index.ts';
import { storedLog } from '../../lib/log.ts';
import type { Store } from '../../lib/store.ts';
import { connect, webMemberApp } from '../../__tests__/helpers/flow.ts';
import { startSchools } from '../../__tests__/helpers/schools.ts';
import { type Contender, countedRedis, serve } from './contender.ts';
import { formType, type TokenOrder } from './token-requests.ts';
import { serviceNames } from './turns.ts';

/** As many as the load has connections. */
const connections = 10;

/** Counted as for everybody, and too high for the load. */
const limits = { tokenCalls: { perMember: 1_000_000_000 }, refreshes: { perFamily: 1_000_000_000 } };

type OrderFor = (kind: string) => Promise<TokenOrder>;

/** A tool that does nothing, so that all that a call costs is ours. */
const tool = { name: 'school_info', description: 'Says hello.', access: { scopes: [] }, run: (): string => 'hello' };

async function service(store: Store, isLogged: boolean): Promise<OrderFor> {
  const schools = await startSchools({
    memberApi: {},
    mcp: { tools: [tool] },
    campus: { store, limits, ...(isLogged && { log: storedLog() }) },
  });
  const tokens = await Promise.all(
    Array.from({ length: connections }, async () => {
      const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
      return { access: String(body['access_token']), refresh: String(body['refresh_token']) };
    }),
  );
  const { id, secret = '' } = webMemberApp;
  const forms = tokens.map(({ refresh }) =>
    new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: id,
      client_secret: secret,
      refresh_token: refresh,
      resource: schools.harbour,
    }).toString(),
  );
  const call = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: tool.name, arguments: {} },
  });
  const headers = {
    authorization: `Bearer ${tokens[0]?.access ?? ''}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  };
  return async (kind) =>
    kind === 'refresh'
      ? { url: `${schools.harbour}/api/oauth/token`, method: 'POST', headers: formType, forms }
      : { url: `${schools.harbour}/mcp`, method: 'POST', headers, forms: tokens.map(() => call) };
}

/** The same service with a log, and twice without it, each with data of its own. */
async function services(open: (name: string) => Promise<Store>): Promise<Contender> {
  const all = new Map<unknown, OrderFor>();
  for (const [i, name] of serviceNames.entries()) {
    all.set(name, await service(await open(`log_${i}`), name === 'with it'));
  }
  return {
    place: {},
    tell: async (message) => {
      const { service: name, kind } = { service: '', kind: '', ...message };
      return all.get(name)?.(kind);
    },
  };
}

await serve({
  Redis: () => services(async (prefix) => redisStore(countedRedis(), { prefix })),
  PostgreSQL: () =>
    services(async (schema) => {
      const pool = new Pool({ connectionString: process.env['POSTGRES_URL'] });
      await pool.query(`create schema if not exists ${schema}`);
      const store = postgresStore(pool, { schema });
      await store.migrate();
      return store;
    }),
});
