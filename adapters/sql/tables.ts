import type { Dialect } from './sql.ts';

/** One step of the tables, which is never changed once it is published. */
export interface Migration {
  readonly version: number;
  readonly statements: readonly string[];
}

interface Table {
  readonly name: string;
  /** How full its pages are filled, in percent. The rest has room for new versions of rows, which then change no index. */
  readonly fill: number;
  /** Beside `key` and `expires`. */
  readonly columns: readonly string[];
  /** By their names. */
  readonly indexes: Readonly<Record<string, string>>;
}

const texts = (...names: readonly string[]): string[] => names.map((name) => `${name} text not null`);
const mayEnd = '(expires) where expires < 1e300';

/** Times are seconds since the epoch by the clock of the server, and `Infinity` for no end. */
function tables({ keyType, table }: Dialect): readonly Table[] {
  return [
    {
      name: 'grant',
      fill: 85,
      columns: [
        'epoch integer not null',
        ...texts('site', 'name', 'member', 'client', 'record'),
        // The name of the app, and the id of the app, or of a client without one, where its name does not tell it.
        'app text',
        'hidden_id text',
      ],
      indexes: {
        member: '(site, member)',
        client: '(site, client, expires)',
        app: '(site, app, expires) where app is not null',
        expires: mayEnd,
      },
    },
    {
      name: 'family',
      fill: 70,
      columns: [
        `of_grant ${keyType} not null references ${table('grant')} on delete cascade`,
        'refresh_until double precision',
        ...texts('name'),
        // The line of its refresh tokens: its name, that of the live token, and the record. A refresh changes this row anyway, and no index.
        'line text',
        'live text',
        'record text',
      ],
      indexes: { grant: '(of_grant)', line: '(line) where line is not null' },
    },
    {
      name: 'token',
      fill: 90,
      columns: [
        `family ${keyType} not null`,
        'consumed double precision',
        'epoch integer',
        ...texts('kind', 'name', 'record'),
      ],
      indexes: { expires: '(expires)' },
    },
    {
      name: 'replay',
      fill: 90,
      // With the second in which the token was redeemed.
      columns: [...texts('sealed'), 'redeemed double precision'],
      indexes: { expires: '(expires)' },
    },
    {
      name: 'record',
      fill: 85,
      columns: ['listed boolean not null', ...texts('kind', 'site', 'name', 'record')],
      indexes: { listed: '(site, kind) where listed', expires: mayEnd },
    },
    { name: 'quota', fill: 50, columns: ['used double precision not null'], indexes: { expires: '(expires)' } },
  ];
}

/**
 * How many rows of grants each client without an app has, and each app. Triggers keep it, so it is right whatever adds and removes grants. An expired
 * row counts until it is purged.
 */
function use({ table, triggers }: Dialect): string[] {
  const columns = [...texts('site', 'name'), 'grants integer not null', 'hidden_id text', 'primary key (site, name)'];
  return [
    `create table ${table('use')} (${columns.join(', ')})`,
    `create index campus_use_grants on ${table('use')} (site, grants, name)`,
    ...triggers,
  ];
}

/** Each row is one event, or a copy of it. `member` to `reference` are digests with the school: what they find is compared with the event. */
function log({ keyType, table, written }: Dialect): string[] {
  const digests = ['member', 'actor', 'app', 'client', 'reference'];
  const columns = [
    'school bigint not null',
    'kind smallint not null',
    `id ${keyType} not null`,
    ...digests.map((name) => `${name} bigint`),
    ...texts('site', 'event'),
    `written ${written.column}`,
    `${written.key} (school, kind, id)`,
  ];
  const index = (name: string, on: string): string => `create index campus_log_${name} on ${table('log')} ${on}`;
  return [
    `create table ${table('log')} (${columns.join(', ')})`,
    ...digests.map((name) => index(name, `(${name}, id) where ${name} is not null`)),
    index('written', '(written)'),
  ];
}

/** The step that makes the log, also where it is in a database of its own. */
export const logVersion = 2;

export function migrations(dialect: Dialect): readonly Migration[] {
  const { keyType, table, fillfactor } = dialect;
  const statements = tables(dialect).flatMap(({ name, fill, columns, indexes }) => [
    `create table ${table(name)} (${[`key ${keyType} primary key`, 'expires double precision not null', ...columns].join(', ')})${fillfactor(fill)}`,
    ...Object.entries(indexes).map(([index, on]) => `create index campus_${name}_${index} on ${table(name)} ${on}`),
  ]);
  return [
    { version: 1, statements: [...statements, ...use(dialect)] },
    { version: logVersion, statements: log(dialect) },
  ];
}

/** The tables whose rows are purged. Families go with their grants. */
export const expiringTables: readonly string[] = ['token', 'replay', 'record', 'grant', 'quota'];

/** The tables that the service reads and writes. */
export const tableNames: readonly string[] = [...expiringTables, 'family', 'use', 'log'];
