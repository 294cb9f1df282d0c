const minimum = 30;
const maximum = 24 * 60 * 60;
const unspecified = 5 * 60;

/**
 * How long a document may be cached, in seconds, according to `Cache-Control` and `Age`: 30 seconds to 24 hours, or
 * 5 minutes without `max-age`. RFC 9111 section 5.2.2.
 */
export function freshness(cacheControl: string | undefined, age: string | undefined): number {
  const directives = new Map(
    (cacheControl ?? '').split(',').map((directive) => {
      const [name = '', value = ''] = directive.split('=', 2);
      return [name.trim().toLowerCase(), value.trim().replaceAll('"', '')] as const;
    }),
  );
  if (directives.has('no-store') || directives.has('no-cache')) return minimum;
  const maxAge = directives.get('max-age');
  if (maxAge === undefined) return unspecified;
  const seconds = Number(maxAge) - (/^\d+$/.test(age ?? '') ? Number(age) : 0);
  return /^\d+$/.test(maxAge) ? Math.min(Math.max(seconds, minimum), maximum) : minimum;
}
