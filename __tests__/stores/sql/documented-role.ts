import { readFileSync } from 'node:fs';
import type { PostgresServer } from '../../helpers/postgres.ts';

const text = readFileSync(new URL('../../../docs/operate/postgres.md', import.meta.url), 'utf8');

/** What `docs/operate/postgres.md` has the owner of the tables run for the role of the service, `campus`. */
export const documentedGrants = /```sql\n(create role campus .*?)```/s.exec(text)?.[1] ?? '';

/** Where that role connects. */
export function urlOfRole({ url }: PostgresServer): string {
  return url.replace('postgres@', 'campus@');
}
