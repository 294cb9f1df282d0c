import type { Context } from 'koa';
import type { Site } from '../contracts/platform.ts';
import { InsufficientScope, InvalidToken, type OAuthError } from '../protocol/errors.ts';
import { sendError } from '../http/send.ts';
import { paths } from '../protocol/paths.ts';

interface BearerErrorOptions {
  readonly scopes?: readonly string[] | undefined;
  /** Path of the protected resource. @default the origin itself */
  readonly resourcePath?: string | undefined;
}

/**
 * Sends an error of a protected resource. Nothing else writes `WWW-Authenticate: Bearer`. A fault has no challenge.
 * RFC 6750 section 3; specification: Anonymous and missing tokens 3.
 */
export function sendBearerError(
  ctx: Context,
  site: Site,
  error: OAuthError,
  { scopes = [], resourcePath = '' }: BearerErrorOptions = {},
): void {
  sendError(ctx, error);
  if (!(error instanceof InvalidToken) && !(error instanceof InsufficientScope)) return;
  const needed = error instanceof InsufficientScope ? error.scopes : scopes;
  const parameters = {
    error: error.error,
    error_description: error.message,
    scope: needed.join(' '),
    // RFC 9728 section 3.1: the path of the resource is inserted.
    resource_metadata: `${site.origin}${paths.protectedResource}${resourcePath}`,
  };
  const quoted = Object.entries(parameters).flatMap(([name, value]) => (value ? [`${name}=${quote(value)}`] : []));
  ctx.set('WWW-Authenticate', `Bearer ${quoted.join(', ')}`);
}

/** A quoted-string: printable ASCII. RFC 9110 section 5.6.4. */
function quote(value: string): string {
  return `"${value.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`;
}
