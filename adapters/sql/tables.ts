import type { Dialect } from './sql.ts';

/** One step of the tables, which is never changed once it is published. */
export interface Migration {
  readonly version: number;
  readonly statements: readonly string[];
}

/** Columns of time are seconds since the epoch, by the clock of the server; `Infinity` for no end. */
export function migrations({ keyType: key, table, fillfactor }: Dialect): readonly Migration[] {
  const time = 'double precision not null';
  const create = (name: string, columns: readonly string[], percent: number): string =>
    `create table ${table(name)} (${columns.join(', ')})${fillfactor(percent)}`;
  const index = (name: string, on: string, columns: string, where = ''): string =>
    `create index campus_${name} on ${table(on)} (${columns})${where}`;
  const texts = (...names: readonly string[]): string[] => names.map((name) => `${name} text not null`);
  return [
    {
      version: 1,
      statements: [
        create(
          'grant',
          [
            `key ${key} primary key`,
            `expires ${time}`,
            'epoch integer not null',
            ...texts('site', 'name', 'member', 'client', 'record'),
          ],
          85,
        ),
        index('grant_member', 'grant', 'site, member'),
        index('grant_client', 'grant', 'site, client, expires'),
        index('grant_expires', 'grant', 'expires', ` where expires < 1e300`),
        create(
          'family',
          [
            `key ${key} primary key`,
            `of_grant ${key} not null references ${table('grant')} on delete cascade`,
            `expires ${time}`,
            'refresh_until double precision',
            ...texts('name'),
          ],
          70,
        ),
        index('family_grant', 'family', 'of_grant'),
        create(
          'token',
          [
            `key ${key} primary key`,
            `family ${key} not null`,
            `expires ${time}`,
            'consumed double precision',
            'epoch integer',
            ...texts('kind', 'name', 'record'),
          ],
          90,
        ),
        index('token_expires', 'token', 'expires'),
        create('replay', [`key ${key} primary key`, `expires ${time}`, ...texts('sealed')], 90),
        index('replay_expires', 'replay', 'expires'),
        create(
          'record',
          [
            `key ${key} primary key`,
            `expires ${time}`,
            'listed boolean not null',
            ...texts('kind', 'site', 'name', 'record'),
          ],
          85,
        ),
        index('record_listed', 'record', 'site, kind', ' where listed'),
        index('record_expires', 'record', 'expires', ` where expires < 1e300`),
        create('quota', [`key ${key} primary key`, `expires ${time}`, 'used double precision not null'], 50),
        index('quota_expires', 'quota', 'expires'),
      ],
    },
  ];
}

/** The tables whose rows expire. Families end with their grants. */
export const expiringTables: readonly string[] = ['token', 'replay', 'record', 'grant', 'quota'];
