/** The origins of a school: where it is, and where it was. */
export interface SiteOrigins {
  readonly origin: string;
  readonly formerOrigins?: readonly string[] | null | undefined;
}

export function originsOf({ origin, formerOrigins }: SiteOrigins): readonly [string, ...string[]] {
  return [origin, ...(formerOrigins ?? [])];
}

/** Where a school is now, for an origin where it was; any other origin as it is. */
export function currentOrigin({ origin, formerOrigins }: SiteOrigins, given: string): string {
  return formerOrigins?.includes(given) === true ? origin : given;
}
