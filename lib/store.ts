export type { SqlStore } from './records/maintenance.ts';
export {
  lineOf,
  type LineToken,
  type ListedKind,
  type NewRecord,
  type RecordKind,
  type RedeemableKind,
  type StoredRecord,
  type TokenKind,
} from './records/record.ts';
export {
  type FindOptions,
  type GrantFilter,
  type IssuedToken,
  type Quota,
  type Redemption,
  type RedemptionOutcome,
  type Store,
  type StoreObserver,
} from './records/store.ts';
export { timeLeft } from './kernel/request-time.ts';
