const least = 30;
const most = 24 * 60 * 60;
const unsaid = 5 * 60;

/**
 * How many seconds a document may be kept, from its `Cache-Control` and `Age`: never less than 30 seconds nor more than
 * 24 hours, and 5 minutes when it says nothing. RFC 9111 section 5.2.2.
 */
export function freshness(cacheControl: string | undefined, age: string | undefined): number {
  const directives = new Map(
    (cacheControl ?? '').split(',').map((directive) => {
      const [name = '', value = ''] = directive.split('=', 2);
      return [name.trim().toLowerCase(), value.trim().replaceAll('"', '')] as const;
    }),
  );
  if (directives.has('no-store') || directives.has('no-cache')) return least;
  const maxAge = directives.get('max-age');
  if (maxAge === undefined) return unsaid;
  const seconds = Number(maxAge) - (/^\d+$/.test(age ?? '') ? Number(age) : 0);
  return /^\d+$/.test(maxAge) ? Math.min(Math.max(seconds, least), most) : least;
}
