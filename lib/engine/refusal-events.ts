import { errors } from 'oidc-provider';
import { refusals } from '../core/access/who-can-change.ts';
import { clientInfo, personAudience } from '../core/clients/client-metadata.ts';
import { OAuthError } from '../kernel/errors.ts';
import { ownEntry } from '../kernel/own-entry.ts';
import type { OnAudit } from '../observe/audit-event.ts';
import { type AuthorizationRefusal, isAuthorizationRefusal } from '../observe/authorization-refusals.ts';
import { claimsOf } from '../observe/claimed-metadata.ts';
import { InteractionEnded } from './engine-errors.ts';
import { splitScope } from '../core/scopes/scopes.ts';
import type { EngineRequest, RefusedRequest } from './engine-request.ts';

/** Where a code of OAuth means several things, by the engine's description. */
const byDescription: Readonly<Partial<Record<string, AuthorizationRefusal>>> = {
  'client is invalid': 'unknown_client',
  'Authorization Server policy requires PKCE to be used for this request': 'pkce_missing',
  'code_challenge must be provided with code_challenge_method': 'pkce_missing',
  'code_challenge_method must be provided': 'pkce_missing',
  ...Object.fromEntries(Object.entries(refusals).map(([reason, text]) => [text, reason])),
};

/** Why an authorization request was refused; nothing for a fault, which refuses nothing. */
export function refusalReason(error: unknown): AuthorizationRefusal | undefined {
  const known = error instanceof Error && error.cause instanceof OAuthError ? error.cause : error;
  if (known instanceof InteractionEnded || known instanceof errors.SessionNotFound) return 'request_ended';
  const isOwn = known instanceof OAuthError;
  if (!(isOwn || known instanceof errors.OIDCProviderError) || known.status >= 500) return undefined;
  const description = (isOwn ? known.message : known.error_description) ?? '';
  const described = ownEntry(byDescription, description);
  if (described) return described;
  if (known.error === 'invalid_redirect_uri') return 'redirect_uri_mismatch';
  return isAuthorizationRefusal(known.error) ? known.error : 'invalid_request';
}

/** Handles a request of a person, or of an app that starts one for a person elsewhere, and reports it if it was refused. */
export async function reportingRefusal(
  onAudit: OnAudit,
  request: EngineRequest,
  asked: AskedBy,
  handle: () => Promise<void>,
): Promise<void> {
  try {
    await handle();
  } catch (error) {
    const reason = refusalReason(error);
    request.refused = reason && { reason, params: { ...request.ctx.query, ...request.form } };
    throw error;
  } finally {
    await reportRefusal(onAudit, request, asked);
  }
}

type AskedBy = 'person' | 'app';

/** Reports that a request was refused, once, when the person or the app has been told so: see `EngineRequest.refused`. */
export async function reportRefusal(
  onAudit: OnAudit,
  request: EngineRequest,
  asked: AskedBy = 'person',
): Promise<void> {
  const { refused, site } = request;
  if (!refused) return;
  request.refused = undefined;
  const { client_id: clientId, redirect_uri: redirectUri } = refused.params;
  const [signedIn, metadata] = await Promise.all([
    asked === 'person' ? request.signedIn().catch(() => undefined) : undefined,
    request.foundClient(clientId),
  ]);
  const memberId = signedIn?.memberId;
  const client = metadata && clientInfo(metadata);
  const isClaimed = client?.source === 'registered' || client?.source === 'document';
  onAudit({
    action: 'authorization.refused',
    siteId: site.id,
    reason: await preciseReason(request, refused, client?.clientId, memberId),
    actor: actorOf(asked, memberId, client),
    clientId: client?.clientId,
    claimed: claimsOf({
      clientId: client ? undefined : clientId,
      name: isClaimed ? client.clientName : undefined,
      redirectUris: [redirectUri],
      audiences: refused.audiences,
    }),
    app: client?.app?.id ?? request.appOf(client?.clientId),
    memberId,
  });
}

type Client = ReturnType<typeof clientInfo>;

function actorOf(asked: AskedBy, memberId: string | undefined, client: Client | undefined) {
  if (asked === 'app') return client && ({ kind: 'client', id: client.clientId } as const);
  if (memberId === undefined) return undefined;
  return { kind: client ? personAudience(client.audience) : 'member', id: memberId } as const;
}

/** The engine and the page for another account know only that access was denied. */
async function preciseReason(
  request: EngineRequest,
  { reason, params: { scope } }: RefusedRequest,
  clientId: string | undefined,
  memberId: string | undefined,
): Promise<AuthorizationRefusal> {
  if (reason !== 'access_denied') return reason;
  if (request.denied) return request.denied.reason === 'no-operator' ? 'no_operator' : 'no_access';
  if (clientId === undefined || memberId === undefined) return reason;
  const scopes = splitScope(typeof scope === 'string' ? scope : undefined);
  const permission = await request.permit(clientId, memberId, scopes).catch(() => undefined);
  return permission?.refused?.refusal ?? reason;
}
