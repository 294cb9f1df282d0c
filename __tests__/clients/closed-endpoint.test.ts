import { expect, test } from '@jest/globals';
import { startPlaying } from './playing.ts';
import { clientRows } from './rows.ts';

const rows = await clientRows();
const waiting = rows.filter(({ whyNotAtMcp }) => whyNotAtMcp !== undefined);
const playing = startPlaying({ mcp: { anonymous: false } });

test.each(waiting)('with anonymous: false, $name connects at /mcp, too', async ({ app }) => {
  const { reason, results } = await playing.run(app, { address: `${playing.schools().harbour}/mcp` });
  expect(reason).toBeUndefined();
  expect(results).toHaveLength(2);
});
