/** How often something may happen in an hour. */
export interface HourlyLimit {
  /** From one address (IPv4), or one /64 network (IPv6). */
  readonly perAddress: number;
  /** At one site, whoever asks: what bounds the store. */
  readonly perSite: number;
}

/** How often something may happen in an hour that a token opens. */
export interface MemberLimit {
  /** For one member through one client. */
  readonly perMember: number;
}

/** Limits on what anybody may make the server write, fetch or do. */
export interface Limits {
  /** Registrations. @default { perAddress: 60, perSite: 600 } */
  readonly registrations: HourlyLimit;
  /** Look-ups of metadata documents that are not in the cache. @default { perAddress: 60, perSite: 600 } */
  readonly documents: HourlyLimit;
  /** Requests to `/mcp` without a token that are served. @default { perAddress: 3600, perSite: 36000 } */
  readonly anonymousCalls: HourlyLimit;
  /** Requests to `/mcp` with a token that are served. @default { perMember: 3600 } */
  readonly tokenCalls: MemberLimit;
}
