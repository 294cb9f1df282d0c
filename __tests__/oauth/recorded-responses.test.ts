import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { recordedResponses, settled } from './recorded-responses.ts';

test('clients that sign nobody in get the same responses as before there was any', async () => {
  const recorded: unknown = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded-responses.json'), 'utf8'));
  const now = settled(JSON.stringify(await recordedResponses()));
  expect(JSON.parse(now)).toEqual(recorded);
  // Also the order of the members.
  expect(now).toBe(JSON.stringify(recorded));
});
