import { isDeepStrictEqual } from 'node:util';
import { lineOf } from '../../records/record.ts';
import type { CopiedFamily, CopiedRecord, RecordPlace, StoreTransfer } from '../../records/store-copy.ts';
import { UsageError } from '../command.ts';
import { importExport } from '../module.ts';
import type { Terminal } from '../output.ts';
import { isTransferable, pages } from './pages.ts';

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
  const counts = { same: 0, written: 0, removed: 0 };
  const progress = (): void => terminal.progress(`${counts.same + counts.written} records, ${counts.written} differ`);
  await pages(from, after, terminal, async (records) => {
    const inTarget = await to.look(records);
    const unlike = records.filter((record, i) => !isSame(record, inTarget[i]) && !isEarlierOfLine(record));
    const different = unlike.filter((record) => !isOver(record));
    if (!verify && different.length > 0) await to.put([...(await grantsOfLines(from, different)), ...different]);
    counts.same += records.length - unlike.length;
    counts.written += different.length;
    progress();
  });
  // What has ended in the source, for example because it was revoked, must not live on.
  await pages(to, '', terminal, async (records) => {
    const inSource = await from.look(records);
    const ended = records.filter((record, i) => !inSource[i] && !isOver(record));
    if (!verify) await to.drop(ended);
    counts.removed += ended.length;
  });
  const { same, written, removed } = counts;
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

/** A token of a line that was redeemed, in a store with a record for each: a line needs none to know it again. */
function isEarlierOfLine({ kind, name, consumed }: CopiedRecord): boolean {
  return lineOf(kind, name) !== undefined && consumed !== undefined && consumed !== null;
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

/** Stores keep time to the second, or to the millisecond. */
const tolerance = 2;

/** What expires while the stores are read may be found in one of them only. */
function isOver({ expires }: { readonly expires: number }): boolean {
  return expires <= Date.now() / 1000 + tolerance;
}

function isSame(a: CopiedRecord, b: CopiedRecord | undefined): boolean {
  return (
    b !== undefined &&
    isAbout(a.expires, b.expires) &&
    isDeepStrictEqual(exactPart(a), exactPart(b)) &&
    hasFamilies(a, b) &&
    hasFamilies(b, a)
  );
}

/** Whether the second record has the live families of the first one. */
function hasFamilies({ families: wanted = [] }: CopiedRecord, { families = [] }: CopiedRecord): boolean {
  const known = new Map(families.map((family) => [family.name, family]));
  return wanted.every((family) => isOver(family) || isFamilySame(family, known.get(family.name)));
}

function isFamilySame(a: CopiedFamily, b: CopiedFamily | undefined): boolean {
  return b !== undefined && isAbout(a.expires, b.expires) && isAbout(a.refreshUntil ?? 0, b.refreshUntil ?? 0);
}

function exactPart({ expires: _expires, families: _families, ...rest }: CopiedRecord): object {
  const { epoch = 0, consumed = null, listed = false } = rest;
  return { ...rest, epoch, consumed, listed };
}

function isAbout(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= tolerance;
}
