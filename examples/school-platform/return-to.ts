/**
 * Where to go after signing in: a path, or an address on this origin; anything else becomes the home page. The URL parser
 * decides as the browser will, so `//evil.example`, `/\evil.example` and a tab between the slashes are seen for what
 * they are. The answer is absolute, because a path may itself begin with two slashes.
 */
export function safeReturnTo(value: string | null | undefined, origin: string): string {
  if (!value || !(value.startsWith('/') || value.startsWith(`${origin}/`)) || !URL.canParse(value, origin)) return '/';
  const url = new URL(value, origin);
  return url.origin === origin && !url.username && !url.password ? url.href : '/';
}
