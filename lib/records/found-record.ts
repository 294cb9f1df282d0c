import type { RecordKind, RecordOf, StoredDevice } from './record.ts';

/** A record that was found, read. */
export interface FoundRecord<K extends RecordKind> {
  readonly record: RecordOf<K>;
  readonly text: string;
  readonly familyId: string | undefined;
  readonly consumed: number | undefined;
  /** Seconds since it was redeemed, by the clock of the store. */
  readonly consumedFor: number | undefined;
  readonly devices: readonly StoredDevice[] | undefined;
  readonly epoch: number;
  readonly grant: FoundRecord<'Grant'> | undefined;
}
