import type { Configuration } from 'oidc-provider';
import { OAuthError, ServerError } from '../protocol/errors.ts';
import { sendError } from '../http/send.ts';
import { sendBrowserError } from '../pages/kit/error-page.ts';
import type { Pages } from '../pages/kit/pages.ts';
import { paths } from '../protocol/paths.ts';
import { currentEngineRequest } from './engine-request.ts';
import { adviceFor } from './engine-errors.ts';

/** Shows an error of the engine that is not sent back to a client. */
export function errorRenderer(pages: Pages): NonNullable<Configuration['renderError']> {
  return (ctx, out, error) => {
    const known = asOurs(out, error, ctx.status);
    if (ctx.path.startsWith(paths.authorize)) sendBrowserError(pages, ctx, currentEngineRequest().site, known);
    else sendError(ctx, known);
  };
}

function asOurs(
  out: { error: string; error_description?: string | undefined },
  error: Error,
  status: number,
): OAuthError {
  if (error.cause instanceof OAuthError) return error.cause;
  if (out.error === 'server_error') return new ServerError(error);
  return new OAuthError(out.error, adviceFor(error) ?? out.error_description ?? out.error, { status });
}
