import { statement } from '../sql/sql.ts';
import { tableNames } from '../sql/tables.ts';
import type { Session } from './session.ts';

/** Privileges that the role of the pool lacks, with the statement that grants them. */
export interface MissingRights {
  readonly privileges: string;
  readonly role: string;
  readonly grant: string;
}

/** What the role of the pool lacks of the rights on the schema and its tables. Reads only catalogs, which every role may read. */
export async function missingRights(session: Session, schema: string): Promise<readonly MissingRights[]> {
  const tables = tableNames.map((name) => `'campus_${name}'`).join(', ');
  const missing = statement(`with place as (select oid from pg_namespace where nspname = '${schema}'),
    lacking(object, privileges) as (
      select 'schema "${schema}"', 'usage' from place where not has_schema_privilege(oid, 'usage')
      union all
      select object, string_agg(privilege, ', ' order by place) from (
        select '"${schema}".' || relname as object, privilege, place
        from pg_class, unnest(array['select', 'insert', 'update', 'delete']) with ordinality each(privilege, place)
        where relnamespace in (select oid from place) and not has_table_privilege(oid, privilege)
          and (relname in (${tables}) or relname = 'campus_migration' and privilege = 'select')) as tables
      group by object)
    select quote_ident(current_user) as role, privileges, string_agg(object, ', ' order by object) as objects
    from lacking group by privileges order by privileges`);
  const rows = await session.run(missing, []);
  return rows.map(({ role, privileges, objects }) => ({
    privileges: String(privileges),
    role: String(role),
    grant: `grant ${String(privileges)} on ${String(objects)} to ${String(role)}`,
  }));
}
