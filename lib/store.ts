export type { Grantee } from './records/grantee.ts';
export type { SqlLogStore, SqlStore } from './records/maintenance.ts';
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
  type GivenGrant,
  type GrantFilter,
  type IssuedToken,
  type PageQuery,
  type Quota,
  type Redemption,
  type RedemptionOutcome,
  type Store,
  type StorePage,
  type UsedGrantee,
} from './records/store.ts';
export type { StoreObserver } from './records/store-observer.ts';
export { timeLeft } from './kernel/request-time.ts';
