import { test } from '@jest/globals';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';
import { rows } from './rows/index.ts';

test.each(rows)('$id $section: $sentence', async ({ check }) => {
  const started: Schools[] = [];
  try {
    await check({
      start: async (options) => {
        const schools = await startSchools({ ...plugins, ...options });
        started.push(schools);
        return schools;
      },
    });
  } finally {
    await Promise.all(started.map((schools) => schools.close()));
  }
});
