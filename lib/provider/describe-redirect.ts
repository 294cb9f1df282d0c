import type { Context } from 'koa';
import { clearerText } from './engine-errors.ts';
import { scopeRow, splitScope } from '../protocol/scopes.ts';

/** Descriptions for errors to which the engine adds none, or a terse one. */
const descriptions: Readonly<Partial<Record<string, (scope: string) => string>>> = {
  request_not_supported: () => 'request objects are not supported; send the parameters themselves',
  request_uri_not_supported: () => 'request_uri is not supported; send the parameters themselves',
  registration_not_supported: () => 'registration in the request is not supported; use the registration endpoint',
  invalid_scope: (scope) =>
    splitScope(scope).some((each) => scopeRow(each)?.audience === 'member')
      ? `this client may not ask for ${scope}; only clients that the school makes for its members can have it`
      : `this client may not ask for ${scope}; ask without it, or have the scope added to the client`,
};

/** Rewrites `error_description` of an error that the engine redirects to the client. RFC 6749 section 4.1.2.1. */
export function describeRedirect(ctx: Context): void {
  const location = URL.parse(ctx.response.get('Location'));
  const error = location?.searchParams.get('error');
  if (!location || !error) return;
  const { searchParams } = location;
  const scope = searchParams.get('scope');
  // Without `scope` the error is one of ours, which has its description.
  if (error === 'invalid_scope' && scope === null) return;
  const text = descriptions[error]?.(scope ?? '') ?? clearerText(searchParams.get('error_description') ?? '');
  if (text === undefined) return;
  searchParams.set('error_description', text);
  ctx.set('Location', location.href);
}
