import type { RequestListener } from 'node:http';
import { createYoga } from 'graphql-yoga';
import { redisStore } from '../../adapters/redis/index.ts';
import { connect, memberApp } from '../../__tests__/helpers/flow.ts';
import { startSchools } from '../../__tests__/helpers/schools.ts';
import { executableSchema } from '../../lib/member/schema/executable-schema.ts';
import { type Contender, countedRedis, onPort, serve } from './contender.ts';
import { data } from './member-data.ts';

const path = '/member/graphql';

/** Yoga as the Node listener: the same schema and data, and no token is looked at. */
const bareYoga = (): RequestListener =>
  createYoga({
    schema: executableSchema({ data }).schema,
    graphqlEndpoint: path,
    logging: false,
    context: {
      viewer: { id: 'sam', name: 'Sam Student', email: 'sam@example.com', roles: ['student'] },
      site: { id: 'harbour', origin: 'https://harbour.example', name: 'Harbour School', connectionsEnabled: true },
      signal: new AbortController().signal,
      data,
      onFault: () => {},
      deadline: { within: async (_what: string, call: Promise<unknown>) => call },
    },
  });

/** What a token costs at the least: one GET before each request. */
function yogaAfterGet(): RequestListener {
  const yoga = bareYoga();
  const redis = countedRedis();
  return (req, res) => void redis.get('token').then(() => yoga(req, res));
}

/** Requests that arrive in one turn of the event loop begin in one later turn, as they do after a round trip to Redis. */
function yogaInTurns(): RequestListener {
  const yoga = bareYoga();
  let waiting: Parameters<RequestListener>[] = [];
  return (...request) => {
    waiting.push(request);
    if (waiting.length > 1) return;
    setImmediate(() => {
      const turn = waiting;
      waiting = [];
      for (const [req, res] of turn) yoga(req, res);
    });
  };
}

async function ours(enableAutoPipelining: boolean): Promise<Contender> {
  const store = redisStore(countedRedis(enableAutoPipelining));
  const limits = { memberCalls: { perMember: 1e9 } };
  const schools = await startSchools({ campus: { store, limits }, memberApi: { data } });
  const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp);
  return { place: { url: `${schools.harbour}${path}`, token: String(body['access_token']) } };
}

await serve({
  'bare Yoga': () => onPort(bareYoga, path),
  'bare Yoga, in turns': () => onPort(yogaInTurns, path),
  'Yoga and one Redis GET': () => onPort(yogaAfterGet, path),
  ours: () => ours(true),
  'ours, no auto-pipelining': () => ours(false),
});
