export {
  type Entry,
  type Found,
  type GrantFilter,
  type IssuedToken,
  type ListedKind,
  type Quota,
  type RecordKind,
  type RedeemableKind,
  type Redemption,
  type RedemptionOutcome,
  type Store,
  type StoreObserver,
  type TokenKind,
} from './contracts/store.ts';
export { timeLeft } from './runtime/timeout.ts';
