import { type Profiler, Session } from 'node:inspector/promises';
import { expect, test } from '@jest/globals';
import { post, tokenOf } from '../graphql.ts';
import { WithPlugins } from './started.ts';

const api = new WithPlugins();

/** The scripts of which a function runs while the Member API responds. */
async function scriptsOfRequest(): Promise<string[]> {
  const { harbour } = api.schools;
  const token = await tokenOf(api.schools, harbour);
  const ask = () => post(harbour, token, { query: '{ viewer { id unreadNotificationCount } }' });
  // Yoga validates each document once.
  await ask();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const { status } = await ask();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  expect(status).toBe(200);
  const hasRun = ({ ranges }: Profiler.FunctionCoverage): boolean => ranges.some(({ count }) => count > 0);
  return result.filter(({ functions }) => functions.some(hasRun)).map(({ url }) => url);
}

const ofPlugins = /\/lib\/member\/plugins\/|\/node_modules\/(?:@envelop|@whatwg-node|graphql-yoga)\//;
const ofPipeline = '/lib/member/preparation/pipeline.ts';

test('without plug-ins no function of Yoga, envelop or our gate runs for a request', async () => {
  await api.start([]);
  const scripts = await scriptsOfRequest();
  expect(scripts.filter((url) => url.endsWith(ofPipeline))).not.toEqual([]);
  expect(scripts.filter((url) => ofPlugins.test(url))).toEqual([]);
});

test('with plug-ins they do, and run the same executor', async () => {
  await api.start([{}]);
  const scripts = await scriptsOfRequest();
  expect(scripts.filter((url) => ofPlugins.test(url))).not.toEqual([]);
  expect(scripts.filter((url) => url.endsWith('/lib/member/executor/execute.ts'))).not.toEqual([]);
});
