import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { recordKinds } from '../../lib/records/record-kinds.ts';
import { lifetimesSchema } from '../../lib/core/limits/limit-defaults.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/reference/retention.md'), 'utf8');
const [section = ''] = text.split(/^## /m);
const rows = [...section.matchAll(/^\| `(\w+)` +\|[^|]*\| (\w+) +\|/gm)].map(([, kind, person]) => [kind, person]);

test('docs/reference/retention.md has the retention of every kind of record, and says which name a person', () => {
  const expected = Object.entries(recordKinds).map(([kind, { people }]) => [kind, people ? 'yes' : 'no']);
  expect(rows).toEqual(expected);
});

test('each lifetime is there with its default', () => {
  const seconds: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600, day: 86_400 };
  const named = [...section.matchAll(/(\d+) (second|minute|hour|day)s? \(`lifetimes\.(\w+)`\)/g)];
  const said = Object.fromEntries(
    named.map(([, count, unit = '', name = '']) => [name, Number(count) * (seconds[unit] ?? 0)]),
  );
  expect(said).toEqual(lifetimesSchema.parse({}));
  expect(section.match(/`lifetimes\.\w+`/g)).toHaveLength(named.length);
});
