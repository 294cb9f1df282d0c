import { isForService, type Enabled } from '../core/enabled/enabled.ts';
import { field, type Form } from '../http/body.ts';
import { splitScope, type ScopeCatalogue } from '../core/scopes/scopes.ts';
import { namesAll, type RefreshScopes } from '../core/grants/added-scopes.ts';
import type { EngineRequest } from './engine-request.ts';

/** The scopes that may be granted; `undefined` if that is not known, which the engine then reports. */
export type AllowedScopes = Promise<readonly string[] | undefined>;

/** The engine finds the client once more, from the request's memory, and reports why it cannot be used. */
export async function scopesOfClient(
  { catalogue }: { readonly catalogue: ScopeCatalogue },
  request: EngineRequest,
  clientId: string,
): AllowedScopes {
  try {
    const client = await request.client(clientId);
    return client && splitScope(client.scope ?? catalogue.all.join(' '));
  } catch {
    return undefined;
  }
}

/** With what the scopes in a form for the token endpoint are compared. Both look up only what they need. */
export interface FormScopes {
  /** What a service, or a refresh token, can ask for. */
  readonly allowed: () => AllowedScopes;
  /** Whether a refresh that names these asks for all, as one that names none. */
  readonly isAll: (named: readonly string[]) => Promise<boolean>;
}

export function scopesOfForm(
  routes: { readonly catalogue: ScopeCatalogue; readonly enabled: Enabled },
  request: EngineRequest,
  form: Form,
): FormScopes {
  if (isForService(routes.enabled, field(form, 'grant_type'))) {
    return {
      allowed: () => scopesOfClient(routes, request, request.sender.clientId ?? ''),
      isAll: async () => false,
    };
  }
  let found: Promise<RefreshScopes | undefined> | undefined;
  const ofToken = async (): Promise<RefreshScopes | undefined> => {
    const token = field(form, 'refresh_token');
    return token === undefined ? undefined : (found ??= request.records.scopesOfRefreshToken(token));
  };
  return {
    allowed: async () => (await ofToken())?.all,
    async isAll(named) {
      const scopes = await ofToken();
      return scopes !== undefined && namesAll(named, scopes);
    },
  };
}

/**
 * Leaves of a published list that a request repeats whole as much as may be granted: many clients request what they read, and later that
 * and one scope more. Any other scope stays, and the engine refuses it if it may not be granted.
 */
export function scopeNarrower(
  lists: readonly (readonly string[])[],
): (scopes: readonly string[], allowedScopes: () => AllowedScopes) => Promise<readonly string[]> {
  const published = lists.map(withoutOpenid).filter(({ length }) => length > 0);
  const repeatedIn = (scopes: readonly string[]): readonly string[] => {
    const asked = new Set(scopes);
    return published.filter((list) => list.every((scope) => asked.has(scope))).flat();
  };
  return async (scopes, allowedScopes) => {
    const listed = new Set(repeatedIn(scopes));
    if (listed.size === 0) return scopes;
    const allowed = await allowedScopes();
    const isLeft = (scope: string): boolean =>
      allowed?.includes(scope) !== false || !(listed.has(scope) || scope === 'openid');
    const left = scopes.filter(isLeft);
    // With nothing left, the engine refuses the whole list.
    return left.length > 0 ? left : scopes;
  };
}

/** Clients add `openid` to a list or leave it out. */
function withoutOpenid(scopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => scope !== 'openid');
}
