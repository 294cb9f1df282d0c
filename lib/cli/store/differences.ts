import { isDeepStrictEqual } from 'node:util';
import { lineOf } from '../../records/record.ts';
import type { CopiedFamily, CopiedRecord, StoreTransfer } from '../../records/store-copy.ts';
import type { Terminal } from '../output.ts';
import { pages } from './pages.ts';

/** How many records are missing or different in the target, how many should not be there, and how many are the same. */
export type Differences = Readonly<Record<'written' | 'removed' | 'same', number>>;

export interface Pair {
  readonly from: StoreTransfer;
  readonly to: StoreTransfer;
  /** Where the source is read from. */
  readonly after: string;
  readonly terminal: Terminal;
}

/** What is done about them. */
export interface Change extends Pick<StoreTransfer, 'put' | 'drop'> {
  /** Up to this place of the source, the target has everything. */
  readonly stoppedAt: (place: string) => void;
}

/** Finds where the target differs from the source, and hands that to `change`. */
export async function differences({ from, to, after, terminal }: Pair, change?: Change): Promise<Differences> {
  const counts = { written: 0, removed: 0, same: 0 };
  const progress = (): void => terminal.progress(`${counts.same + counts.written} records, ${counts.written} differ`);
  const compare = async (records: readonly CopiedRecord[]): Promise<void> => {
    const inTarget = await to.look(records);
    const unlike = records.filter((record, i) => !isSame(record, inTarget[i]) && !isEarlierOfLine(record));
    const different = unlike.filter((record) => !isOver(record));
    if (different.length > 0) await change?.put(different);
    counts.same += records.length - unlike.length;
    counts.written += different.length;
    progress();
  };
  await pages(from, after, compare, change?.stoppedAt);
  // What has ended in the source, for example because it was revoked, must not live on.
  await pages(to, '', async (records) => {
    const inSource = await from.look(records);
    const ended = records.filter((record, i) => !inSource[i] && !isOver(record));
    await change?.drop(ended);
    counts.removed += ended.length;
  });
  return counts;
}

/** A token of a line that was redeemed, in a store with a record for each: a line needs none to know it again. */
function isEarlierOfLine({ kind, name, consumed }: CopiedRecord): boolean {
  return lineOf(kind, name) !== undefined && consumed !== undefined && consumed !== null;
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
