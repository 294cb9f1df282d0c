import type { Site } from '../../host/school-platform.ts';
import type { Schools } from './incidents.ts';

/** Schools at the same moment. */
const atOnce = 8;

/** Goes through schools, some at a time: what reads them from a database is not read ahead. The first error ends it. */
export async function eachSchool(schools: Schools, act: (school: Site | string) => Promise<void>): Promise<void> {
  // A generator takes calls of `next` one by one, which not every iterator does.
  const all = oneByOne(schools);
  const work = async (): Promise<void> => {
    try {
      for (let next = await all.next(); next.done !== true; next = await all.next()) await act(next.value);
    } finally {
      await all.return();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function* oneByOne(schools: Schools): AsyncGenerator<Site | string, void, undefined> {
  yield* schools;
}
