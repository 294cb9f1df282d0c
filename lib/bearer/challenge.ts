import type { Context } from 'koa';
import type { Site } from '../contracts/platform.ts';
import { InsufficientScope, InvalidToken, type OAuthError } from '../protocol/errors.ts';
import { sendError } from '../http/send.ts';
import { paths, protectedPaths } from '../protocol/paths.ts';

/** Where the metadata of the resource at a path is. RFC 9728 section 3.1. */
function resourceMetadataUrl(site: Site, path: string): string {
  const inserted = protectedPaths.includes(path) ? path : '';
  return `${site.origin}${paths.protectedResource}${inserted}`;
}

/**
 * Sends an error of a protected resource: the one author of `WWW-Authenticate: Bearer`. A fault carries no challenge.
 * RFC 6750 section 3; specification: Anonymous and missing tokens 3.
 *
 * @param scopes - every scope that the call needs
 */
export function sendBearerError(ctx: Context, site: Site, error: OAuthError, scopes: readonly string[] = []): void {
  sendError(ctx, error);
  if (!(error instanceof InvalidToken) && !(error instanceof InsufficientScope)) return;
  const needed = error instanceof InsufficientScope ? error.scopes : scopes;
  const parameters = {
    error: error.error,
    error_description: error.message,
    scope: needed.join(' '),
    resource_metadata: resourceMetadataUrl(site, ctx.path),
  };
  const quoted = Object.entries(parameters).flatMap(([name, value]) => (value ? [`${name}=${quote(value)}`] : []));
  ctx.set('WWW-Authenticate', `Bearer ${quoted.join(', ')}`);
}

/** A quoted-string: printable ASCII. RFC 9110 section 5.6.4. */
function quote(value: string): string {
  return `"${value.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`;
}
