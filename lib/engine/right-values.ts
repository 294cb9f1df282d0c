import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { isLoopbackRedirect, shownAddresses } from '../core/clients/redirect-uri.ts';
import { optional, text } from '../records/codec.ts';
import { type EngineRequest, requestOf } from './engine-request.ts';

/** What an endpoint to which clients post says in place of a text of the engine, where the request tells what would have been right. */
export function rightForClient(engineText: string, { records, sender }: EngineRequest): string | undefined {
  if (engineText === 'client not found') return ofDocument(sender.clientId);
  if (engineText !== 'authorization code redirect_uri mismatch') return undefined;
  // The client has shown the verifier of this code, or its secret.
  const { record } = records.last('AuthorizationCode') ?? {};
  const redirectUri = record && optional(record, 'redirectUri', text);
  return redirectUri && `redirect_uri must be ${shownAddresses([redirectUri])}, as in the authorization request`;
}

/** The same at the authorization endpoint, for the developer who reads the details of the page. Redirect URIs are no secret. */
export async function rightForDeveloper(ctx: KoaContextWithOIDC, error: Error): Promise<string | undefined> {
  const { client_id: clientId } = ctx.query;
  if (error instanceof errors.InvalidClient) return ofDocument(clientId);
  if (!(error instanceof errors.InvalidRedirectUri)) return undefined;
  const { redirect_uris: uris = [] } = (await requestOf(ctx).foundClient(clientId)) ?? {};
  if (uris.length === 0) return 'this client has no redirect_uri';
  const isLoopback = uris.some((uri) => isLoopbackRedirect(uri, { localhost: true }));
  return `redirect_uri must be ${shownAddresses(uris)}${isLoopback ? '; only the port of a loopback address may differ' : ''}`;
}

function ofDocument(clientId: unknown): string | undefined {
  if (typeof clientId !== 'string' || !/^http:\/\//i.test(clientId)) return undefined;
  return 'a metadata document must have an https: address on a public host; for an app on your computer, register instead';
}
