import type { StoreMaintenance } from '../../records/maintenance.ts';
import { type Command, instead, off, readLine, UsageError } from '../command.ts';
import { importExport } from '../module.ts';
import type { Terminal } from '../output.ts';
import { copy } from './copy.ts';

export const store: Command = {
  help: `Usage: campus-oidc store migrate <module>
       campus-oidc store status <module> [--sql]
       campus-oidc store purge <module>
       campus-oidc store copy <from> <to> [--verify] [--after <place>]

Imports modules that export a store, as "default" or "store": what postgresStore or sqliteStore returns, or redisStore for
copy. A TypeScript module needs a Node.js that strips types, or a loader in NODE_OPTIONS.

  migrate  creates the tables, or brings them up to date; safe to repeat, and from several processes at once
  status   says which steps the tables have taken
  purge    removes all expired rows now; processes that use the store do so now and then
  copy     makes the second store have what the first one has, and nothing else. Stop the processes that use them before the
           last run. It can be run again: what is there already is not written again.

  --sql    also prints the statements of the steps that are missing, for someone who runs them by hand
  --verify compares the two stores in both directions, and writes nothing
  --after  goes on where a copy stopped; it said the place

Exit codes: 0 fine; 1 steps are missing (status), or the stores differ (--verify); 2 wrong usage, or a store refused.`,
  async run(args, terminal) {
    const { values, positionals } = readLine('store', args, {
      sql: off,
      verify: off,
      after: { type: 'string', default: '' },
    });
    const [action = '', file, ...more] = positionals;
    if (action === 'copy') return copy([file, ...more], values, terminal);
    const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (!act)
      throw new UsageError(
        `say migrate, status, purge or copy; ${instead(action, [...Object.keys(actions), 'copy'], 'campus-oidc store')}`,
      );
    if (file === undefined || more.length > 0)
      throw new UsageError(`store ${action} needs one module, for example: ./store.ts`);
    return act(await importExport(file, 'store', isMaintained, 'a SQL store'), terminal, values.sql);
  },
};

type Action = (store: StoreMaintenance, terminal: Terminal, sql: boolean) => Promise<number>;

const actions: Readonly<Record<string, Action>> = {
  async migrate(sqlStore, terminal) {
    const versions = await sqlStore.migrate();
    for (const version of versions) terminal.report('ok', `version ${version} of the tables is applied`);
    if (versions.length === 0) terminal.report('ok', 'the tables are up to date');
    return 0;
  },
  async status(sqlStore, terminal, sql) {
    const states = await sqlStore.migrations();
    for (const { version, isApplied, statements } of states) {
      const [mark, state] = isApplied ? (['ok', 'applied'] as const) : (['error', 'missing'] as const);
      terminal.report(mark, `version ${version} of the tables is ${state}`);
      if (sql && !isApplied) for (const statement of statements) terminal.print(`${statement};`);
    }
    return states.some(({ isApplied }) => !isApplied) ? 1 : 0;
  },
  async purge(sqlStore, terminal) {
    let [removed, hasMore] = [0, true];
    while (hasMore) {
      const report = await sqlStore.purge();
      removed += report.removed;
      ({ hasMore } = report);
      terminal.progress(`${removed} expired rows removed`);
    }
    terminal.report('ok', `${removed} expired rows removed`);
    return 0;
  },
};

function isMaintained(value: unknown): value is StoreMaintenance {
  return typeof value === 'object' && value !== null && 'migrate' in value && 'migrations' in value && 'purge' in value;
}
