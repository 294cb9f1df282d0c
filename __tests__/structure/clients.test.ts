import { expect, test } from '@jest/globals';
import { clientRows } from '../clients/rows.ts';
import { clientAppsPage } from '../../scripts/reference/client-apps.ts';

test('the reference has an entry for every app', async () => {
  const [{ sections }, rows] = await Promise.all([clientAppsPage(), clientRows()]);
  const headings = sections.flatMap(({ entries }) => entries.map(({ heading }) => heading));
  expect(headings).toEqual([...new Set(rows.map(({ product }) => product))]);
});

test('the variants of an app differ in how they get in, so that one line can show them', async () => {
  const shown = (await clientRows()).map(({ product, whyNotAtMcp, app: { source, behaviour } }) =>
    JSON.stringify([product, whyNotAtMcp, source, behaviour.start, behaviour.stepUp]),
  );
  expect(new Set(shown).size).toBe(new Set((await clientRows()).map(({ product }) => product)).size);
});
