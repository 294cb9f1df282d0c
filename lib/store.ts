export type { SqlStore } from './records/maintenance.ts';
export type { ListedKind, NewRecord, RecordKind, RedeemableKind, StoredRecord, TokenKind } from './records/record.ts';
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
