import type { MigrationState, StoreMaintenance } from '../../records/maintenance.ts';
import { carryOut, carryOutHelp, carryOutOptions, carryOutUsage, type CarryOutValues } from '../carry-out.ts';
import { type Command, instead, off, readLine, UsageError } from '../command.ts';
import { failure } from '../failure.ts';
import { importExport } from '../module.ts';
import type { Terminal } from '../output.ts';
import { copy } from './copy.ts';
import { ownEntry } from '../../kernel/own-entry.ts';

export const store: Command = {
  help: `Usage: campus-oidc store migrate <module> [--json]
       campus-oidc store status <module> [--sql] [--json]
       campus-oidc store purge <module> ${carryOutUsage}
       campus-oidc store copy <from> <to> [--after <place>] [--days <number>] [--remove] ${carryOutUsage}
       campus-oidc store copy <from> <to> --verify [--days <number>] [--json]

Import modules that export a store as "default" or "store": what postgresStore or sqliteStore returns, or redisStore for
copy. A TypeScript module needs a Node.js that strips types, or a loader in NODE_OPTIONS.

  migrate  create the tables, or bring them up to date. Safe to repeat, and to run in several processes at once.
  status   list the versions of the tables that are applied or missing
  purge    remove all expired rows now. Processes that use the store also do so from time to time.
  copy     give the second store the records and the log of the first, and remove all others from it. Stop the processes
           that use them before the last run. Safe to repeat: the stores are compared first, and only differences are written.
           A log that storedLog({ store }) keeps in another store stays there.

  --sql      also print the statements of the missing versions, to run them by hand.
  --verify   only compare the two stores, in both directions
  --after    continue at the place that a stopped copy printed
  --days     leave events of the log behind that are older. Default: 90, as that of storedLog({ days })
  --remove   let a copy remove more than it writes. Otherwise it is refused, because two modules in the wrong
             order would empty the store that is in use.
${carryOutHelp}

Exit codes: 0 fine; 1 steps are missing (status), or the stores differ (--verify); 2 wrong usage, or a store refused.`,
  run: (args, terminal) =>
    run(args, terminal).catch((error: unknown) => {
      throw failure(error, 'the store');
    }),
};

async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = readLine('store', args, {
    ...carryOutOptions,
    sql: off,
    verify: off,
    remove: off,
    after: { type: 'string', default: '' },
    days: { type: 'string', default: '90' },
  });
  const [action = '', file, ...more] = positionals;
  if (action === 'copy') return copy([file, ...more], values, terminal);
  const act = ownEntry(actions, action);
  if (!act)
    throw new UsageError(
      `name an action: migrate, status, purge or copy; ${instead(action, [...Object.keys(actions), 'copy'], 'campus-oidc store')}`,
    );
  if (file === undefined || more.length > 0)
    throw new UsageError(`store ${action} needs one module, for example: ./store.ts`);
  const sqlStore = await importExport(file, 'store', isMaintained, 'a SQL store');
  return act({ ...values, sqlStore, file }, terminal);
}

interface Given extends CarryOutValues {
  readonly sqlStore: StoreMaintenance;
  readonly file: string;
  readonly sql: boolean;
}

type Action = (given: Given, terminal: Terminal) => Promise<number>;

const actions: Readonly<Record<string, Action>> = {
  async migrate({ sqlStore, json }, terminal) {
    const applied = await sqlStore.migrate();
    if (json) {
      terminal.print(JSON.stringify({ applied }));
      return 0;
    }
    for (const version of applied) terminal.report('ok', `version ${version} of the tables is applied`);
    if (applied.length === 0) terminal.report('ok', 'the tables are up to date');
    return 0;
  },
  async status({ sqlStore, sql, json }, terminal) {
    const states = await sqlStore.migrations();
    if (json) {
      const versions = states.map(({ statements, ...state }) => ({ ...state, ...(sql && { statements }) }));
      terminal.print(JSON.stringify({ versions }));
    } else {
      for (const state of states) showState(state, sql, terminal);
    }
    return states.some(({ isApplied }) => !isApplied) ? 1 : 0;
  },
  async purge({ sqlStore, file, ...values }, terminal) {
    const expired = await sqlStore.expired();
    const plan = {
      text: `${file}: ${expired} expired rows to remove`,
      counts: { removed: expired },
      isNothing: expired === 0,
    };
    return carryOut(plan, values, terminal, async () => {
      const removed = await purgeAll(sqlStore, terminal);
      return { text: `${removed} expired rows removed`, counts: { removed } };
    });
  },
};

function showState({ version, isApplied, statements }: MigrationState, sql: boolean, terminal: Terminal): void {
  const [mark, state] = isApplied ? (['ok', 'applied'] as const) : (['error', 'missing'] as const);
  terminal.report(mark, `version ${version} of the tables is ${state}`);
  if (sql && !isApplied) for (const statement of statements) terminal.print(`${statement};`);
}

async function purgeAll(sqlStore: StoreMaintenance, terminal: Terminal): Promise<number> {
  let [removed, hasMore] = [0, true];
  while (hasMore) {
    const report = await sqlStore.purge();
    removed += report.removed;
    ({ hasMore } = report);
    terminal.progress(`${removed} expired rows removed`);
  }
  return removed;
}

function isMaintained(value: unknown): value is StoreMaintenance {
  const methods = ['migrate', 'migrations', 'expired', 'purge'];
  return typeof value === 'object' && value !== null && methods.every((name) => name in value);
}
