/**
 * Prevents open redirects: returns a URL of this origin, or the home page for anything else. The URL parser works like
 * the browser's, so `//evil.example`, `/\evil.example` and a tab between the slashes are recognized as another origin.
 * The result is absolute, because a path can itself start with two slashes.
 */
export function safeReturnTo(value: string | null | undefined, origin: string): string {
  if (!value || !(value.startsWith('/') || value.startsWith(`${origin}/`)) || !URL.canParse(value, origin)) return '/';
  const url = new URL(value, origin);
  return url.origin === origin && !url.username && !url.password ? url.href : '/';
}
