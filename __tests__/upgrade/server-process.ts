import { createServer } from 'node:http';
import { once } from 'node:events';
import type { Campus, CampusKeys, Site } from '../../lib/index.ts';
import type { Store } from '../../lib/store.ts';
import { testClients } from '../helpers/clients.ts';
import { testPeople } from '../helpers/people.ts';
import type { ServerOrder, ServerReply, ServerStart } from './server.ts';
import { openStore } from './stores.ts';
import { moduleOf, type Release } from './releases.ts';

interface Running {
  readonly campus: Campus;
  readonly port: number;
  readonly faults: string[];
}

async function serve(
  release: Release,
  { origin, keys }: { origin: string; keys: CampusKeys },
  store: Store,
): Promise<Running> {
  const { createCampus }: typeof import('../../lib/index.ts') = await import(moduleOf(release, 'lib/index.ts'));
  const { fakePlatform }: typeof import('../../lib/testing/fake-platform.ts') = await import(
    moduleOf(release, 'lib/testing/fake-platform.ts')
  );
  const { loopbackClients }: typeof import('../../policies/index.ts') = await import(
    moduleOf(release, 'policies/index.ts')
  );
  const campus = createCampus({
    platform: fakePlatform({
      schools: [{ id: 'harbour', origin, name: 'Harbour School' }],
      people: { harbour: testPeople()['harbour'] ?? {} },
    }),
    store,
    keys,
    clients: testClients.filter(({ clientId }) => clientId === 'web-member-app'),
    registration: [loopbackClients()],
    limits: false,
  });
  const faults: string[] = [];
  campus.events.on('fault', ({ message, cause }) => faults.push(`${release}: ${message}: ${String(cause)}`));
  const server = createServer({ keepAliveTimeout: 0 }, campus.handler());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { campus, port: typeof address === 'object' && address ? address.port : 0, faults };
}

/** What is stored of the school: kind, version, and the text. */
async function stored(store: Store): Promise<ServerReply['stored']> {
  const found: [string, string][] = [];
  for (let from: string | undefined = ''; from !== undefined;) {
    const step: Awaited<ReturnType<NonNullable<Store['sweep']>>> | undefined = await store.sweep?.(
      'harbour',
      from,
      (kind, record) => {
        found.push([kind, record]);
        return false;
      },
    );
    from = step?.next ?? undefined;
  }
  return found;
}

/** A process of a platform, of one release or several on one store. */
async function main({ url, origin, keys, releases }: ServerStart): Promise<void> {
  const opened = await openStore(url);
  const { store } = opened;
  const running: Running[] = [];
  for (const release of releases) running.push(await serve(release, { origin, keys }, store));
  const site: Site = { id: 'harbour', origin, name: 'Harbour School', connectionsEnabled: true };
  const [first] = running;
  const orders: Readonly<Record<ServerOrder, () => Promise<ServerReply>>> = {
    application: async () => {
      await first?.campus.apps.set(site, { clientId: 'unwanted' }, { access: 'blocked' });
      return {
        issued: await first?.campus.applications.create(site, {
          clientName: 'Timer',
          redirectUris: ['https://timer.example/callback'],
          scopes: ['openid', 'profile'],
          confidential: true,
        }),
      };
    },
    stored: async () => ({ stored: await stored(store) }),
    faults: async () => ({ faults: running.flatMap(({ faults }) => faults.splice(0)) }),
  };
  process.on('message', (order: ServerOrder) => {
    void orders[order]().then((reply) => process.send?.(reply));
  });
  process.once('disconnect', () => {
    void Promise.all(running.map(({ campus }) => campus.close())).then(async () => {
      await opened.close();
      process.exit();
    });
  });
  process.send?.({ ports: running.map(({ port }) => port) } satisfies ServerReply);
}

process.once('message', (start: ServerStart) => void main(start));
