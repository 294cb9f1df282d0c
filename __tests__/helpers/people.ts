import type { Member } from '../../lib/index.ts';

/** Who is a member of what, by site and member id. */
export type People = Record<string, Record<string, Member>>;

function person(id: string, name: string, roles: string[]): Member {
  return { id, name, email: `${id}@example.com`, emailVerified: true, picture: `https://cdn.example/${id}.png`, roles };
}

/** A fresh copy for each test; tests change it. Nora has no role anywhere. */
export function testPeople(): People {
  return {
    harbour: {
      olivia: person('olivia', 'Olivia Owner', ['owner', 'teacher']),
      sam: person('sam', 'Sam Student', ['student']),
      nora: person('nora', 'Nora Nobody', []),
    },
    summit: {
      sam: person('sam', 'Sam Student', ['student']),
      tess: person('tess', 'Tess Teacher', ['teacher']),
    },
  };
}
