export type { SqlStore } from './contracts/maintenance.ts';
export type { ListedKind, NewRecord, RecordKind, RedeemableKind, StoredRecord, TokenKind } from './contracts/record.ts';
export {
  type FindOptions,
  type GrantFilter,
  type IssuedToken,
  type Quota,
  type Redemption,
  type RedemptionOutcome,
  type Store,
  type StoreObserver,
} from './contracts/store.ts';
export { timeLeft } from './runtime/timeout.ts';
