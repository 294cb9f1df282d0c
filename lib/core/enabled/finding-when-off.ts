/** What `campus.diagnose()` says of applications that need what is off: a warning. */
export interface FindingWhenOff {
  readonly id: string;
  /** What to do. */
  readonly fix: string;
}
