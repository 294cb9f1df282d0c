import type { RequestListener } from 'node:http';
import { Redis } from 'ioredis';
import { createYoga } from 'graphql-yoga';
import Koa from 'koa';
import { memoryStore } from '../../adapters/memory/index.ts';
import { redisStore } from '../../adapters/redis/index.ts';
import { connect, memberApp } from '../../__tests__/helpers/flow.ts';
import { startSchools } from '../../__tests__/helpers/schools.ts';
import { listen } from '../../__tests__/helpers/server.ts';
import { guardMemberData } from '../../lib/faults.ts';
import type { Store } from '../../lib/index.ts';
import { executableSchema } from '../../lib/member/executable-schema.ts';
import { data } from './member-data.ts';

/** A contender, listening. */
export interface Contender {
  readonly url: string;
  readonly token: string;
  /** How often the store has been asked so far. */
  asked(): number;
}

/** The contenders by name. */
export const contenders: Readonly<Record<string, () => Promise<Contender>>> = {
  'bare Yoga': async () => onPort(() => createYoga(yogaOptions)),
  'Yoga in Koa': async () => onPort(() => yogaInKoa()),
  'ours, memory': () => ours(memoryStore()),
  // As the README recommends it: what many requests ask in one turn goes out in one write.
  'ours, Redis': () => ours(redisStore(new Redis(process.env['REDIS_URL'] ?? '', { enableAutoPipelining: true }))),
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
    data: guardMemberData(data, () => {}),
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
  return { url: `http://localhost:${port}/member/graphql`, token: 'none', asked: () => 0 };
}

async function ours(inner: Store): Promise<Contender> {
  let asked = 0;
  const store: Store = {
    ...inner,
    find: (...args) => {
      asked += 1;
      return inner.find(...args);
    },
  };
  const schools = await startSchools({ campus: { store }, platform: { memberData: data } });
  const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp);
  return { url: `${schools.harbour}/member/graphql`, token: String(body['access_token']), asked: () => asked };
}
