import type { CopiedRecord, StoreTransfer } from '../../records/store-copy.ts';
import type { Store } from '../../records/store.ts';
import { sinceOlderProcess } from '../../diagnose/process-keys.ts';
import { inNewestForm } from '../../records/codec.ts';
import {
  findFormats,
  formatsTrusted,
  markRewritten,
  newestVersions,
  olderKinds,
  permitFormats,
  type StoreFormats,
} from '../../records/store-formats.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { UsageError } from '../command.ts';
import { importExport } from '../module.ts';
import type { Terminal } from '../output.ts';
import { isTransferable, pages } from './pages.ts';

type UpgradedStore = Pick<Store, 'find' | 'save' | 'isEmpty'> & { transfer(): StoreTransfer };

/** Until then every process has asked what is permitted, and what it wrote before has arrived. */
const settled = 2 * formatsTrusted;

/** Takes one of two steps: permits the formats of this release, then rewrites what never expires. Returns the exit code. */
export async function upgrade(file: string, after: string, terminal: Terminal): Promise<number> {
  const store = await importExport(file, 'store', isUpgradable, 'a store that can be copied');
  const kinds = Object.entries(newestVersions()).map(([kind, version]) => `${kind} ${version}`);
  if (kinds.length === 0) {
    terminal.report('ok', 'nothing to do: this release reads and writes one format of each record');
    return 0;
  }
  const formats = await findFormats(store);
  if (formats.text === null && (await store.isEmpty?.()) === true) {
    terminal.report(
      'ok',
      'nothing to do: the store is empty, so the first process that writes begins with the newest formats',
    );
    return 0;
  }
  if (olderKinds(formats.versions).length > 0) {
    const since = await sinceOlderProcess(store);
    if (since !== undefined)
      throw new UsageError(
        `a process of an earlier release announced itself ${since} seconds ago, and cannot read the new formats; replace it, and try again 10 minutes after it has ended`,
      );
    if (!(await permitFormats(store, formats))) throw new UsageError('another upgrade has begun meanwhile');
    terminal.report('ok', `permitted: ${kinds.join(', ')}; every process writes them within ${formatsTrusted} seconds`);
    return later(settled, terminal);
  }
  const wait = formats.at + settled - epochSeconds();
  return wait > 0 ? later(wait, terminal) : rewriteAll(store, formats, after, terminal);
}

function later(seconds: number, terminal: Terminal): number {
  terminal.report('info', `run it once more in ${seconds} seconds, to rewrite records that do not expire`);
  return 1;
}

function isUpgradable(value: unknown): value is UpgradedStore {
  return isTransferable(value) && 'find' in value && 'save' in value;
}

async function rewriteAll(
  store: UpgradedStore,
  formats: StoreFormats,
  after: string,
  terminal: Terminal,
): Promise<number> {
  const counts = { rewritten: 0, changed: 0, unreadable: 0 };
  /** Those that expire, by kind, and when the last of them does. */
  const left = new Map<string, { readonly count: number; readonly until: number }>();
  await pages(store.transfer(), after, terminal, async (records) => {
    for (const record of records) {
      const { kind, expires } = record;
      const text = newestOf(record);
      if (text === null) counts.unreadable += 1;
      else if (text !== undefined && expires === Infinity)
        counts[(await rewrite(store, record, text)) ? 'rewritten' : 'changed'] += 1;
      else if (text !== undefined) {
        const { count = 0, until = 0 } = left.get(kind) ?? {};
        left.set(kind, { count: count + 1, until: Math.max(until, expires) });
      }
    }
    terminal.progress(`${counts.rewritten} records rewritten`);
  });
  const { rewritten, changed, unreadable } = counts;
  terminal.report('ok', `${rewritten} records rewritten; ${changed} were changed meanwhile, in the new format`);
  for (const [kind, { count, until }] of left)
    terminal.report('info', `${count} of kind ${kind} expire in the previous format, the last one ${dateOf(until)}`);
  if (unreadable > 0) {
    terminal.report('error', `${unreadable} records cannot be read by this release: too old, or damaged`);
    return 1;
  }
  await markRewritten(store, formats);
  return 0;
}

/** `null` for a record that this release cannot read. */
function newestOf({ kind, record }: CopiedRecord): string | null | undefined {
  try {
    return inNewestForm(kind, record);
  } catch {
    return null;
  }
}

/** Writes over what was read, and nothing if a process has changed or removed that meanwhile. */
function rewrite(store: UpgradedStore, place: CopiedRecord, text: string): Promise<boolean> {
  const { kind, site, name, listed = false, record } = place;
  const siteId = site === '%' ? '' : decodeURIComponent(site);
  return store.save(siteId, { kind, id: decodeURIComponent(name), record: text, listed, replaces: record });
}

function dateOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ');
}
