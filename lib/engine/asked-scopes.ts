import { isForService, type Offered } from '../core/offered/offered.ts';
import { field, type Form } from '../http/body.ts';
import { splitScope, type ScopeCatalogue } from '../core/scopes/scopes.ts';
import type { EngineRequest } from './engine-request.ts';

/** The engine finds the client once more, from the request's memory, and reports why it cannot be used. */
export async function scopesOfClient(
  { catalogue }: { readonly catalogue: ScopeCatalogue },
  request: EngineRequest,
  clientId: string,
): Promise<string[] | undefined> {
  try {
    const client = await request.client(clientId);
    return client && splitScope(client.scope ?? catalogue.all.join(' '));
  } catch {
    return undefined;
  }
}

/** What a service, or a refresh token, can ask for. */
export async function scopesOfForm(
  routes: { readonly catalogue: ScopeCatalogue; readonly offered: Offered },
  request: EngineRequest,
  form: Form,
): Promise<string[] | undefined> {
  if (isForService(routes.offered, field(form, 'grant_type'))) {
    return scopesOfClient(routes, request, request.sender.clientId ?? '');
  }
  return request.records.scopesOfRefreshToken(field(form, 'refresh_token') ?? '');
}
