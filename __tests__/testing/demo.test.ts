import { expect, test } from '@jest/globals';
import { node } from '../package/commands.ts';

test('known apps connect to the demo with its own configuration', async () => {
  expect((await node(['__tests__/testing/demo-connects.ts'])).trim().split('\n')).toEqual([
    'claude-code connects',
    'claude connects',
    'vs-code connects',
    'cursor connects',
    'mcp-inspector connects',
  ]);
});
