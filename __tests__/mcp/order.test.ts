import { afterEach, expect, test } from '@jest/globals';
import * as z from 'zod';
import { defineTool } from '../../lib/mcp/index.ts';
import { memberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { accessToken, callTool, revisions } from './rpc.ts';

let schools: Schools;
afterEach(() => schools.close());

let checked = 0;
const inputSchema = z.object({}).refine(() => {
  checked += 1;
  return true;
});
const run = (): string => 'done';
const tools = [
  defineTool({ name: 'open', description: 'Open.', access: 'public', inputSchema, run }),
  defineTool({ name: 'inbox', description: 'Closed.', access: { scopes: ['account:read'] }, inputSchema, run }),
];

test.each(revisions)('at %s, arguments are looked at only for those who may call', async (revision) => {
  checked = 0;
  schools = await startSchools({
    mcp: { tools },
    campus: { limits: { anonymousCalls: { perAddress: 1, perSite: 9 } } },
  });
  const poor = await accessToken(schools, 'sam', memberApp, 'openid');
  const rich = await accessToken(schools, 'sam', memberApp);
  const call = async (name: string, token?: string): Promise<number[]> => {
    const { status } = await callTool(schools.harbour, name, {}, { revision, token });
    return [status, checked];
  };
  expect(await call('inbox')).toEqual([401, 0]);
  expect(await call('inbox', 'nonsense')).toEqual([401, 0]);
  expect(await call('open', 'nonsense')).toEqual([401, 0]);
  expect(await call('inbox', poor)).toEqual([403, 0]);
  expect(await call('open')).toEqual([200, 1]);
  expect(await call('open')).toEqual([429, 1]);
  expect(await call('inbox', rich)).toEqual([200, 2]);
});
