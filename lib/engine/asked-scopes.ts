import { isForService, type Offered } from '../core/offered/offered.ts';
import { field, type Form } from '../http/body.ts';
import { splitScope, type ScopeCatalogue } from '../core/scopes/scopes.ts';
import { storedId } from '../records/codec.ts';
import { scopeOfRefreshToken } from './engine-records.ts';
import type { EngineRequest } from './engine-request.ts';
import type { RecordStore } from '../records/record-store.ts';

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
  routes: { readonly catalogue: ScopeCatalogue; readonly store: RecordStore; readonly offered: Offered },
  request: EngineRequest,
  form: Form,
): Promise<string[] | undefined> {
  if (isForService(routes.offered, field(form, 'grant_type'))) {
    return scopesOfClient(routes, request, request.sender.clientId ?? '');
  }
  const { site } = request;
  const id = storedId('RefreshToken', field(form, 'refresh_token') ?? '');
  const found = await routes.store.find(site.id, 'RefreshToken', id, { withGrant: true });
  return found && splitScope(await scopeOfRefreshToken(site.id, routes.store, found));
}
