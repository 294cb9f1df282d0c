import { isRecordKind, type RecordKind, type RecordOf, type StoredRecord } from './record.ts';
import type { Store } from './store.ts';
import { epochSeconds } from '../kernel/clock.ts';
import { parseRecord, serializeRecord } from './codec.ts';
import { recordForms } from './record-forms.ts';

/** Seconds for which a process trusts what it has read of the formats. Within them all processes write what the store permits. */
export const formatsTrusted = 60;

/** For all schools. Its kind never gets a second form: every release reads this one. */
export const formatsPlace: readonly ['', 'StoreFormats', 'shared'] = ['', 'StoreFormats', 'shared'];

export type Versions = Readonly<Partial<Record<RecordKind, number>>>;

/** The newest version of each kind that has had more than one. */
export function newestVersions(): Versions {
  return Object.fromEntries(Object.entries(recordForms).map(([kind, { version }]) => [kind, version]));
}

/** Kinds of which these versions are older than those of this release. */
export function olderKinds(versions: Versions): RecordKind[] {
  return Object.entries(newestVersions()).flatMap(([kind, version]) =>
    isRecordKind(kind) && (versions[kind] ?? 1) < version ? kind : [],
  );
}

export interface StoreFormats {
  /** What may be written. */
  readonly versions: Versions;
  /** When that was last changed, in seconds since the epoch. */
  readonly at: number;
  /** Whether records that do not expire are in these versions. */
  readonly rewritten: boolean;
  readonly text: string | null;
}

export async function findFormats(store: Pick<Store, 'find'>): Promise<StoreFormats> {
  return formatsOf(await store.find(...formatsPlace));
}

export function formatsOf(found: StoredRecord | null | undefined): StoreFormats {
  if (!found) return { versions: {}, at: 0, rewritten: false, text: null };
  const { versions, at, rewritten = false } = parseRecord('StoreFormats', found.record);
  const known = Object.entries(versions).filter(([, version]) => typeof version === 'number');
  return { versions: Object.fromEntries(known), at, rewritten, text: found.record };
}

type Changes = (store: Pick<Store, 'save'>, found: StoreFormats) => Promise<boolean>;

/** Permits the newest formats of this release, from when on no older process may run. Returns false if another call came first. */
export const permitFormats: Changes = (store, { versions, text }) => {
  const newest = newestVersions();
  const raised = Object.fromEntries(olderKinds(versions).map((kind) => [kind, newest[kind]]));
  return write(store, { versions: { ...versions, ...raised }, at: epochSeconds() }, text);
};

/** Permits them in a store in which nothing has been written before. */
export const beginFormats: Changes = (store, { text }) =>
  write(store, { versions: newestVersions(), at: epochSeconds(), rewritten: true }, text);

/** Marks the permanent records as rewritten: all of them are in the formats that were found. */
export const markRewritten: Changes = (store, { versions, at, text }) =>
  write(store, { versions, at, rewritten: true }, text);

function write(
  store: Pick<Store, 'save'>,
  formats: RecordOf<'StoreFormats'>,
  replaces: string | null,
): Promise<boolean> {
  const [siteId, kind, id] = formatsPlace;
  return store.save(siteId, { kind, id, record: serializeRecord(kind, formats), replaces });
}
