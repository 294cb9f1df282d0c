import type { DatabaseSync } from 'node:sqlite';
import { sqlFile } from './database.ts';
import { hashPassword } from './passwords.ts';
import { demoPassword, demoPeople } from './people.ts';

/** The origins of the two schools. */
export interface Origins {
  readonly harbour: string;
  readonly summit: string;
}

/** Both schools use the same port: two names of this machine make two origins. */
export function schoolOrigins(port: number): Origins {
  return { harbour: new URL(`http://localhost:${port}`).origin, summit: new URL(`http://127.0.0.1:${port}`).origin };
}

export async function seed(database: DatabaseSync, origins: Origins): Promise<void> {
  const addSchool = database.prepare(
    'INSERT INTO schools (id, origin, name, accent, connections_enabled) VALUES (?, ?, ?, ?, ?)',
  );
  addSchool.run('harbour', origins.harbour, 'Harbour School', '#0b5cad', 1);
  addSchool.run('summit', origins.summit, 'Summit School', '#2c6e49', 0);

  const addPerson = database.prepare(
    'INSERT INTO people (id, name, email, email_verified, picture, password_hash) VALUES (?, ?, ?, 1, ?, ?)',
  );
  const hashes = await Promise.all(demoPeople.map(() => hashPassword(demoPassword)));
  for (const [index, person] of demoPeople.entries()) {
    addPerson.run(person.id, person.name, person.email, person.picture ?? null, hashes[index] ?? '');
  }
  database.exec(sqlFile('seed.sql'));
}
