import { detailsOf } from '../core/boundaries/authorization-details.ts';
import { type DeclaredBoundary, type Only, unhonouredScopes } from '../core/boundaries/boundary.ts';
import { honoursOf, isResourceServer } from '../core/clients/resource-server.ts';
import type { PermissionOfPerson, PermissionOfService } from '../core/access/token-permission.ts';
import type { Site } from '../host/school-platform.ts';
import type { Form } from '../http/body.ts';
import type { ClientMetadata } from '../records/codec.ts';
import type { RecordOf } from '../records/record.ts';
import type { EngineRequest } from './engine-request.ts';

interface IntrospectionParts {
  readonly boundaries: readonly DeclaredBoundary[];
}

/** Adds to what the engine says: `aud`, which it has for access tokens only, and what has changed since. Specification: Audience binding 3. */
export async function completeIntrospection(
  { boundaries }: IntrospectionParts,
  request: EngineRequest,
  _form: Form,
  found: object,
): Promise<object | undefined> {
  if (!('active' in found) || found.active !== true) return undefined;
  const permission = await request.permission();
  if (!permission || permission.refusal !== undefined)
    throw new Error('the engine calls a token active that may do nothing');
  const caller = (await request.client(request.sender.clientId ?? '')) ?? {};
  const { records, site } = request;
  const { shown, scope } = toldOf(boundaries, permission, caller);
  return {
    ...found,
    aud: site.origin,
    sub: subjectOf(permission),
    ...('scope' in found && { scope }),
    // RFC 9396 section 9.2.
    ...(shown && { authorization_details: detailsOf(shown) }),
    ...(isResourceServer(caller) && forResourceServer(site, permission, records.last('AccessToken')?.record)),
  };
}

/** The id of the member or their pseudonym, as the client knows them; the id of a service. */
function subjectOf({ member, pseudonym, clientId }: PermissionOfPerson | PermissionOfService): string {
  return member ? (pseudonym ?? member.id) : clientId;
}

/**
 * What a caller learns of the scopes and limits of a token. It does not see the scopes of a limit that it does not honour, as the guard does
 * not count them. A client learns all limits of its own token.
 */
function toldOf(
  boundaries: readonly DeclaredBoundary[],
  { clientId, scopes, only }: PermissionOfPerson | PermissionOfService,
  caller: Partial<ClientMetadata>,
): { readonly shown: Only | undefined; readonly scope: string } {
  const honours = honoursOf(caller);
  const isOwn = caller.client_id === clientId;
  const limits = Object.entries(only ?? {}).filter(([type]) => isOwn || honours.includes(type));
  const unhonoured = unhonouredScopes(boundaries, only, honours);
  return {
    shown: limits.length > 0 ? Object.fromEntries(limits) : undefined,
    scope: scopes.filter((each) => !unhonoured.has(each)).join(' '),
  };
}

type SignedIn = Partial<Pick<RecordOf<'AccessToken'>, 'acr' | 'authTime'>>;

/** How the person signed in, if the platform says it. RFC 9470 section 6.2. */
function signedIn({ acr, authTime }: SignedIn): object {
  return { ...(acr !== undefined && { acr }), ...(authTime !== undefined && { auth_time: authTime }) };
}

/** What only a resource server learns: what `campus.verify` returns, under the names of ID tokens where they have one. */
function forResourceServer(
  { id, origin, name }: Site,
  { member }: PermissionOfPerson | PermissionOfService,
  token: SignedIn = {},
): object {
  return { ...signedIn(token), ...(member && { roles: member.roles }), org_id: id, site: { id, origin, name } };
}
