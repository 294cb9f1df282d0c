import { test } from '@jest/globals';
import { startSchools } from '../helpers/schools.ts';
import { connect, memberApp, userinfo, authorizeUrl, pkce } from '../helpers/flow.ts';
import { startSdk } from './observed-schools.ts';
test('x', async () => {
  const sdk = await startSdk();
  const schools = await startSchools({ campus: { telemetry: sdk.telemetry } });
  const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp);
  await userinfo(schools.harbour, body['access_token']);
  await userinfo(schools.harbour, 'x');
  await schools.browser('sam').follow(authorizeUrl(schools.harbour, memberApp, pkce(), {client_id:'sam@example.com'}));
  await schools.browser('sam').follow(authorizeUrl(schools.harbour, memberApp, pkce(), {scope:'courses:write'})).catch(String);
  console.log(sdk.spans().map(s => `${s.name} ${s.parentSpanContext?.spanId ?? '-'} ${s.spanContext().spanId} ${s.kind} ${JSON.stringify(s.attributes)}`).join('\n'));
  console.log((await sdk.text()).split('\n').filter(l=>!l.includes('_bucket')).join('\n'));
  await schools.close(); await sdk.close();
});
