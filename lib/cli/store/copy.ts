import { lineOf } from '../../records/record.ts';
import type { CopiedRecord, RecordPlace, StoreTransfer } from '../../records/store-copy.ts';
import { UsageError } from '../command.ts';
import { importExport } from '../module.ts';
import type { Terminal } from '../output.ts';
import { type Change, differences } from './differences.ts';
import { isTransferable } from './pages.ts';

/** Copies one store to another, or compares them. Returns the exit code. */
export async function copy(
  files: readonly (string | undefined)[],
  { verify, after }: { readonly verify: boolean; readonly after: string },
  terminal: Terminal,
): Promise<number> {
  const [source, target, ...more] = files;
  if (source === undefined || target === undefined || more.length > 0)
    throw new UsageError('store copy needs two modules, for example: ./redis.ts ./postgres.ts');
  const [from, to] = await Promise.all([source, target].map(transferIn));
  if (!from || !to) return 2;
  const pair = { from, to, after, terminal };
  const { same, written, removed } = await differences(pair, verify ? undefined : writer(from, to, terminal));
  if (verify && written + removed > 0) {
    terminal.report(
      'error',
      `${same} records are the same, ${written} are missing or different, ${removed} should not exist`,
    );
    return 1;
  }
  const what = verify
    ? `${same} records are the same`
    : `${written} records written, ${removed} removed, ${same} left as they were`;
  terminal.report('ok', what);
  return 0;
}

function writer(from: StoreTransfer, to: StoreTransfer, terminal: Terminal): Change {
  return {
    put: async (records) => to.put([...(await grantsOfLines(from, records)), ...records]),
    drop: (places) => to.drop(places),
    stoppedAt: (place) => {
      if (place !== '') terminal.complain(`stopped; go on with --after ${JSON.stringify(place)}`);
    },
  };
}

/** Their grants, where a store may keep lines: they come in any order. */
async function grantsOfLines(from: StoreTransfer, records: readonly CopiedRecord[]): Promise<CopiedRecord[]> {
  const places = new Map<string, RecordPlace>();
  for (const { site, kind, name, grant } of records) {
    if (grant !== undefined && lineOf(kind, name)) places.set(`${site} ${grant}`, { site, kind: 'Grant', name: grant });
  }
  for (const { site, kind, name } of records) if (kind === 'Grant') places.delete(`${site} ${name}`);
  const found = places.size > 0 ? await from.look([...places.values()]) : [];
  return found.flatMap((record) => record ?? []);
}

async function transferIn(file: string): Promise<StoreTransfer> {
  return (await importExport(file, 'store', isTransferable, 'a store that can be copied')).transfer();
}
