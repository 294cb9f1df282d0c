import type { ParsedUrlQuery } from 'node:querystring';
import { originsOf } from '../../host/origins.ts';
import type { Site } from '../../host/school-platform.ts';
import type { RouteCall } from '../../http/route.ts';
import { InvalidClient, InvalidRedirectUri, OAuthError } from '../../kernel/errors.ts';
import { claimsOf } from '../../observe/claimed-metadata.ts';
import type { Core } from '../../core/core.ts';
import { claimsOfIdToken } from '../../core/keys/id-tokens.ts';
import { type LogoutRequest, readLogoutRequest } from './request.ts';

type Sent = ParsedUrlQuery | Readonly<Record<string, unknown>>;

/** Reads a request of an application to sign a person out, and reports it if it is refused. @throws as `readLogoutRequest` does */
export async function reportingRefusal(core: Core, call: RouteCall, sent: Sent): Promise<LogoutRequest> {
  try {
    return await readLogoutRequest(core, call.site, sent);
  } catch (error) {
    if (error instanceof OAuthError && error.status < 500) await report(core, call, sent, error);
    throw error;
  }
}

async function report(core: Core, { ctx, site }: RouteCall, sent: Sent, error: OAuthError): Promise<void> {
  const named = clientNamedIn(core, site, sent);
  const [client, session] = await Promise.all([
    named === undefined ? undefined : core.clients.findStored(site.id, named, 'identify').catch(() => undefined),
    core.host.platform.signedInMember(ctx, site).catch(() => undefined),
  ]);
  const memberId = session?.memberId;
  core.audit.onAudit({
    action: 'logout.refused',
    siteId: site.id,
    reason: reasonOf(error),
    actor: memberId === undefined ? undefined : { kind: 'member', id: memberId },
    clientId: client?.client_id,
    claimed: claimsOf({
      clientId: client ? undefined : named,
      redirectUris: error instanceof InvalidRedirectUri ? [sent['post_logout_redirect_uri']] : undefined,
    }),
    memberId,
  });
}

function clientNamedIn({ keys }: Core, site: Site, sent: Sent): string | undefined {
  const { client_id: named, id_token_hint: hint } = sent;
  if (typeof named === 'string') return named;
  return typeof hint === 'string' ? claimsOfIdToken(keys.of(site), originsOf(site), hint)?.clientId : undefined;
}

function reasonOf(error: OAuthError): string {
  if (error instanceof InvalidRedirectUri) return 'redirect_uri_mismatch';
  return error instanceof InvalidClient ? 'unknown_client' : error.error;
}
