export {
  type Entry,
  type Found,
  type GrantFilter,
  type ListedKind,
  type Quota,
  type RecordKind,
  type RedeemableKind,
  type Redemption,
  type RedemptionOutcome,
  type Store,
} from './contracts/store.ts';
