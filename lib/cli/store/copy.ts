import { lineOf } from '../../records/record.ts';
import type { CopiedRecord, RecordPlace, StoreTransfer } from '../../records/store-copy.ts';
import { carryOut, type CarryOutValues } from '../carry-out.ts';
import { UsageError } from '../command.ts';
import { importExport } from '../module.ts';
import type { Terminal } from '../output.ts';
import { type Change, type Differences, differences } from './differences.ts';
import { isTransferable } from './pages.ts';

interface Values extends CarryOutValues {
  readonly verify: boolean;
  readonly after: string;
  readonly remove: boolean;
}

/** Copies one store to another, or compares them. Returns the exit code. */
export async function copy(
  files: readonly (string | undefined)[],
  values: Values,
  terminal: Terminal,
): Promise<number> {
  const [source, target, ...more] = files;
  if (source === undefined || target === undefined || more.length > 0)
    throw new UsageError('store copy needs two modules, for example: ./redis.ts ./postgres.ts');
  const [from, to] = await Promise.all([source, target].map(transferIn));
  if (!from || !to) return 2;
  const pair = { from, to, after: values.after, terminal };
  const found = await differences(pair);
  if (values.verify) return showVerified(found, values.json, terminal);
  const { same, written, removed } = found;
  const plan = {
    text: `${target}: ${written} records to write, ${removed} to remove, ${same} unchanged`,
    counts: found,
    isNothing: written + removed === 0,
    refusal: removed > written && !values.remove ? mayBeSwapped : undefined,
  };
  return carryOut(plan, values, terminal, async () => {
    const counts = await differences(pair, writer(from, to, terminal));
    const left = `${counts.same} unchanged`;
    return { text: `${counts.written} records written, ${counts.removed} removed, ${left}`, counts };
  });
}

const mayBeSwapped =
  'more records would be removed than written: are the two modules in the wrong order? If they are not, add --remove';

function showVerified({ written, removed, same }: Differences, json: boolean, terminal: Terminal): number {
  const isSame = written + removed === 0;
  const differ = `, ${written} are missing or different, ${removed} should not exist`;
  if (json) terminal.print(JSON.stringify({ same, different: written, extra: removed }));
  else terminal.report(isSame ? 'ok' : 'error', `${same} records are the same${isSame ? '' : differ}`);
  return isSame ? 0 : 1;
}

function writer(from: StoreTransfer, to: StoreTransfer, terminal: Terminal): Change {
  return {
    put: async (records) => to.put([...(await grantsOfLines(from, records)), ...records]),
    drop: (places) => to.drop(places),
    stoppedAt: (place) => {
      if (place !== '') terminal.complain(`stopped; continue with --after ${JSON.stringify(place)}`);
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
