/** A `WWW-Authenticate: Bearer` challenge. RFC 6750 section 3, RFC 9728 section 5.1. */
export interface Challenge {
  readonly metadata?: string | undefined;
  readonly scopes: readonly string[];
  readonly error?: string | undefined;
}

export function readChallenge(headers: Headers): Challenge {
  const header = headers.get('www-authenticate') ?? '';
  if (!/^bearer\b/i.test(header)) return { scopes: [] };
  const pairs = [...header.matchAll(/(\w+)="((?:\\.|[^"\\])*)"/g)];
  const parameters = new Map(pairs.map(([, name = '', value = '']) => [name, value.replaceAll(/\\(.)/g, '$1')]));
  return {
    metadata: parameters.get('resource_metadata'),
    scopes: words(parameters.get('scope')),
    error: parameters.get('error'),
  };
}

/** The scopes of a space-separated list. */
export function words(list: string | undefined): readonly string[] {
  return list?.split(' ').filter((word) => word !== '') ?? [];
}
