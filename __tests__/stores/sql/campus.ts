import type { Pool } from 'pg';
import { postgresStore } from '../../../adapters/postgres/index.ts';
import type { StoreMaintenance } from '../../../lib/records/maintenance.ts';
import type { Store, StoreObserver } from '../../../lib/store.ts';
import { loopbackClients } from '../../../policies/index.ts';
import { type PostgresServer, startPostgres } from '../../helpers/postgres.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { RedisProxy } from '../redis/proxy.ts';

/** The schools on a PostgreSQL of their own, watched and disturbed through a proxy. */
export interface PostgresCampus {
  readonly schools: Schools;
  readonly server: PostgresServer;
  readonly proxy: RedisProxy;
  /** The pools of the store. */
  readonly pool: Pool;
  readonly poolOfLong: Pool;
  /** A pool that bypasses the proxy. */
  readonly admin: Pool;
  readonly store: Store & StoreMaintenance;
  /** Switches between a deadline that faults meet and one that is long enough for a busy machine. */
  useShortDeadline(on: boolean): void;
  close(): Promise<void>;
}

const milliseconds = { short: 300, long: 20_000 };

export async function startPostgresCampus(): Promise<PostgresCampus> {
  const server = await startPostgres();
  const proxy = await RedisProxy.start(server.port);
  const throughProxy = { connectionString: server.url.replace(String(server.port), String(proxy.port)), max: 5 };
  const pools = {
    short: server.pool({ ...throughProxy, query_timeout: milliseconds.short }),
    long: server.pool({ ...throughProxy, query_timeout: milliseconds.long }),
  };
  const stores = { short: postgresStore(pools.short), long: postgresStore(pools.long) };
  await stores.long.migrate();
  let current = stores.long;
  const store = new Proxy(stores.long, {
    get: (_target, name) => {
      // A campus reads these once, so they are those of both.
      if (name === 'deadline') return stores.long.deadline;
      if (name === 'observe')
        return (observer: StoreObserver) => Object.values(stores).forEach((each) => each.observe?.(observer));
      return (...args: unknown[]): unknown => Reflect.apply(Reflect.get(current, name), current, args);
    },
  });
  const schools = await startSchools({ campus: { store, registration: [loopbackClients()], limits: false } });
  return {
    schools,
    server,
    proxy,
    pool: pools.short,
    poolOfLong: pools.long,
    admin: server.pool({ max: 2 }),
    store,
    useShortDeadline: (on) => {
      current = on ? stores.short : stores.long;
    },
    close: async () => {
      await schools.close();
      await proxy.listen();
      proxy.mode = 'pass';
      await server.stop();
      await proxy.refuse();
    },
  };
}
