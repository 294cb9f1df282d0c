import type { Context } from 'koa';
import type { Site } from '../contracts/platform.ts';
import { field, type Form } from '../http/body.ts';
import { splitScope } from '../protocol/scopes.ts';
import { optional, storedId, text } from '../records/codec.ts';
import type { Core } from '../records/core.ts';
import type { EngineRequest } from './engine-request.ts';

/** The engine finds the client once more, from the request's memory, and reports why it cannot be used. */
export async function scopesOfClient(
  { catalogue }: Pick<Core, 'catalogue'>,
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
export function scopesOfForm(
  routes: Pick<Core, 'catalogue' | 'store'>,
  request: EngineRequest,
  form: Form,
): Promise<string[] | undefined> {
  if (field(form, 'grant_type') !== 'client_credentials') {
    return scopesOfRefreshToken(routes, request.site, field(form, 'refresh_token') ?? '');
  }
  return scopesOfClient(routes, request, basicClientId(request.ctx) ?? field(form, 'client_id') ?? '');
}

async function scopesOfRefreshToken(
  { store }: Pick<Core, 'store'>,
  { id }: Site,
  refreshToken: string,
): Promise<string[] | undefined> {
  const found = await store.find(id, 'RefreshToken', storedId('RefreshToken', refreshToken));
  return found && splitScope(optional(found.record, 'scope', text));
}

/** The client that HTTP Basic names, as the engine reads it; `undefined` for what the engine refuses. RFC 6749 section 2.3.1. */
export function basicClientId(ctx: Context): string | undefined {
  const [, encoded = ''] = /^basic +(\S+)$/i.exec(ctx.get('Authorization')) ?? [];
  const [id] = Buffer.from(encoded, 'base64').toString().split(':', 1);
  try {
    return id ? decodeURIComponent(id.replaceAll('+', '%20')) : undefined;
  } catch {
    return undefined;
  }
}
