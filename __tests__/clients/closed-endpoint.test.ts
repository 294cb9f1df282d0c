import { expect, test } from '@jest/globals';
import { startPlaying } from './playing.ts';
import { clientRows } from './rows.ts';

const rows = await clientRows();
const waiting = rows.filter(({ whyNotAtMcp }) => whyNotAtMcp !== undefined);
const playing = startPlaying({ mcp: { anonymous: false } });

test.each(waiting)('with anonymous: false, $name connects at /mcp, too', async ({ program }) => {
  const { reason, results } = await playing.run(program, { address: `${playing.schools().harbour}/mcp` });
  expect(reason).toBeUndefined();
  expect(results).toHaveLength(2);
});
