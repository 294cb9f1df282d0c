import type { Context } from 'koa';
import type { Configuration } from 'oidc-provider';
import type { Site } from '../contracts/platform.ts';
import { OAuthError, ServerError } from '../protocol/errors.ts';
import { sendError } from '../http/send.ts';
import { paths } from '../protocol/paths.ts';
import { currentEngineRequest } from './engine-request.ts';
import { clearerDescription } from './engine-errors.ts';

/** Shows an error to a person, at an address that browsers visit. */
export type ShowError = (ctx: Context, site: Site, error: OAuthError) => void;

/** Renders an error of the engine that does not go back to a client in a redirect. */
export function errorRenderer(showError: ShowError): NonNullable<Configuration['renderError']> {
  return (ctx, out, error) => {
    const oauthError = toOAuthError(out, error, ctx.status);
    if (ctx.path.startsWith(paths.authorize)) showError(ctx, currentEngineRequest().site, oauthError);
    else sendError(ctx, oauthError);
  };
}

function toOAuthError(
  out: { error: string; error_description?: string | undefined },
  error: Error,
  status: number,
): OAuthError {
  if (error.cause instanceof OAuthError) return error.cause;
  if (out.error === 'server_error') return new ServerError(error);
  return new OAuthError(out.error, clearerDescription(error) ?? out.error_description ?? out.error, { status });
}
