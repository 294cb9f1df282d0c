import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

test('operators’ pages of a thousand entries have 25, weigh less than 100 kB, and take at most 5 times as long as empty ones', async () => {
  const script = fileURLToPath(new URL('./many-entries.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  const report: { page: string; cards: number; bytes: number; ratio: number }[] = JSON.parse(stdout);
  expect(report).toHaveLength(2);
  for (const { cards, bytes, ratio } of report) {
    expect(cards).toBe(25);
    expect(bytes).toBeLessThan(100_000);
    expect(ratio).toBeLessThan(5);
  }
}, 60_000);
