import type { RequestListener } from 'node:http';
import { Redis } from 'ioredis';
import { createYoga } from 'graphql-yoga';
import Koa from 'koa';
import { memoryStore } from '../../adapters/memory/index.ts';
import { redisStore } from '../../adapters/redis/index.ts';
import { connect, memberApp } from '../../__tests__/helpers/flow.ts';
import { startSchools } from '../../__tests__/helpers/schools.ts';
import { listen } from '../../__tests__/helpers/server.ts';
import type { Store } from '../../lib/store.ts';
import { executableSchema } from '../../lib/member/schema/executable-schema.ts';
import { data } from './member-data.ts';

/** A contender, listening. */
export interface Contender {
  readonly url: string;
  readonly token: string;
  /** What the store has been asked so far: commands to Redis, or calls of the memory store. */
  asked(): Promise<number>;
}

/** The contenders by name. */
export const contenders: Readonly<Record<string, () => Promise<Contender>>> = {
  'bare Yoga': async () => onPort(() => createYoga(yogaOptions)),
  'Yoga in Koa': async () => onPort(() => yogaInKoa()),
  'ours, memory': () => {
    const { store, calls } = countedStore();
    return ours(store, async () => calls());
  },
  'ours, Redis': () => {
    // What many requests ask in one turn goes out in one write.
    const redis = new Redis(process.env['REDIS_URL'] ?? '', { enableAutoPipelining: true });
    return ours(redisStore(redis), () => commandsOf(redis));
  },
};

/** Yoga as the Node listener: the same schema and data, and no token is looked at. */
const yogaOptions = {
  schema: executableSchema({}),
  graphqlEndpoint: '/member/graphql',
  logging: false,
  context: {
    viewer: { id: 'sam', name: 'Sam Student', email: 'sam@example.com', roles: ['student'] },
    site: { id: 'harbour', origin: 'https://harbour.example', name: 'Harbour School', connectionsEnabled: true },
    signal: new AbortController().signal,
    data,
    onFault: () => {},
    deadline: { within: async (_what: string, call: Promise<unknown>) => call },
  },
};

/** As Yoga's documentation mounts it. https://the-guild.dev/graphql/yoga-server/docs/integrations/integration-with-koa */
function yogaInKoa(): RequestListener {
  const yoga = createYoga<Koa.ParameterizedContext>(yogaOptions);
  const app = new Koa();
  app.use(async (ctx) => {
    const response = await yoga.handleNodeRequestAndResponse(ctx.req, ctx.res, ctx);
    ctx.status = response.status;
    response.headers.forEach((value, key) => ctx.append(key, value));
    ctx.body = response.body;
  });
  const handle = app.callback();
  return (req, res) => void handle(req, res);
}

async function onPort(listener: () => RequestListener): Promise<Contender> {
  const { port } = await listen(listener);
  return { url: `http://localhost:${port}/member/graphql`, token: 'none', asked: async () => 0 };
}

async function ours(store: Store, asked: Contender['asked']): Promise<Contender> {
  const schools = await startSchools({ campus: { store }, memberApi: { data } });
  const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp);
  return { url: `${schools.harbour}/member/graphql`, token: String(body['access_token']), asked };
}

function countedStore(): { readonly store: Store; readonly calls: () => number } {
  let calls = 0;
  const store = memoryStore();
  const find: Store['find'] = (...args) => {
    calls += 1;
    return store.find(...args);
  };
  return { store: { ...store, find }, calls: () => calls };
}

/** All commands that Redis has run, this one included. */
async function commandsOf(redis: Redis): Promise<number> {
  return Number(/total_commands_processed:(\d+)/.exec(await redis.info('stats'))?.[1]);
}
