/** What `campus.diagnose()` says of applications that need what is off: a warning. */
export interface FindingWhenOff {
  readonly id: string;
  /** The action to take. */
  readonly fix: string;
}
