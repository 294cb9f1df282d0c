import type { Context } from 'koa';
import { detailsOf } from '../core/boundaries/authorization-details.ts';
import { type DeclaredBoundary, type Only, unhonouredScopes } from '../core/boundaries/boundary.ts';
import { honoursOf, isResourceServer } from '../core/clients/resource-server.ts';
import type { PermissionOfPerson, PermissionOfService } from '../core/access/token-permission.ts';
import type { Enabled } from '../core/enabled/enabled.ts';
import type { Site } from '../host/school-platform.ts';
import type { Form } from '../http/body.ts';
import { epochSeconds } from '../kernel/clock.ts';
import { type ClientMetadata, grantIdOf } from '../records/codec.ts';
import type { RecordOf } from '../records/record.ts';
import type { EngineFinder } from './engine.ts';
import type { EngineRequest } from './engine-request.ts';

interface IntrospectionParts {
  readonly engineOf: EngineFinder;
  readonly enabled: Enabled;
  readonly boundaries: readonly DeclaredBoundary[];
}

/** One token, and one caller with its secret or without a proof. */
interface PlainIntrospection {
  readonly token: string;
  readonly clientId: string;
  readonly secret: string | undefined;
}

const plainFields: ReadonlySet<string> = new Set(['token', 'token_type_hint', 'client_id', 'client_secret']);

/** Headers that prove something. A feature that reads another one adds it here. */
const otherProofs = ['dpop', 'oauth-client-attestation', 'oauth-client-attestation-pop'] as const;

/** The form of our tokens; the engine gets some others in another form. */
const opaqueToken = /^[\w~-]{1,512}$/;

/** `undefined` for whatever the engine has to look at: another proof, a field that is repeated or unknown, or one that is missing. */
function plainIntrospection({ req: { headers } }: Context, form: Form): PlainIntrospection | undefined {
  if (otherProofs.some((name) => headers[name] !== undefined)) return undefined;
  const fields = Object.entries(form);
  if (!fields.every(([name, value]) => plainFields.has(name) && typeof value === 'string')) return undefined;
  const { token, client_id: clientId, client_secret: secret } = form;
  if (typeof token !== 'string' || !opaqueToken.test(token)) return undefined;
  if (headers.authorization !== undefined) {
    const named = clientId === undefined && secret === undefined ? basicCredentials(headers.authorization) : undefined;
    return named && { token, ...named };
  }
  if (typeof clientId !== 'string' || (secret !== undefined && typeof secret !== 'string')) return undefined;
  return { token, clientId, secret };
}

/** What HTTP Basic says in a header that has one reading only: it is what these credentials are encoded as. RFC 6749 section 2.3.1. */
function basicCredentials(header: string): Omit<PlainIntrospection, 'token'> | undefined {
  const text = Buffer.from(header.slice('Basic '.length), 'base64').toString();
  const [clientId, secret] = text.split(':', 2).map(formDecoded);
  if (!clientId || !secret) return undefined;
  const encoded = `${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`;
  return header === `Basic ${Buffer.from(encoded).toString('base64')}` ? { clientId, secret } : undefined;
}

/** The engine refuses others in HTTP Basic. RFC 6749 appendix A. */
const printable = /^[\x20-\x7e]+$/;

function formDecoded(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return printable.test(decoded) ? decoded : undefined;
  } catch {
    return undefined;
  }
}

const inactive = { active: false } as const;

/**
 * What a caller learns of a token without a run of the engine; `undefined` if the engine has to answer. Only callers that the engine would
 * accept get an answer here: it refuses everybody else, in its own words. A caller that is accepted learns of an unknown token that it is
 * not active.
 */
export async function introspectedPlainly(
  parts: IntrospectionParts,
  request: EngineRequest,
  form: Form,
): Promise<object | undefined> {
  const { ctx, site, records } = request;
  const plain = plainIntrospection(ctx, form);
  // The engine meets the same failure, and says which it is.
  const caller = plain && (await request.client(plain.clientId).catch(() => undefined));
  if (!caller || !parts.engineOf(site).authenticates(caller, plain.secret)) return undefined;
  const { token } = plain;
  const ofAll = isResourceServer(caller);
  if (await records.find('AccessToken', token)) {
    const record = records.last('AccessToken')?.record;
    const mayKnow = record && (ofAll || record.clientId === caller.client_id);
    return mayKnow && (await hasGrant(request, record)) ? introspected(parts, request, caller) : inactive;
  }
  if (parts.enabled.hasServices && (await records.find('ClientCredentials', token)))
    return ofAll ? introspected(parts, request, caller) : undefined;
  // A resource server learns of access tokens only.
  return ofAll || !(await records.hasRefreshToken(token)) ? inactive : undefined;
}

/** A store may leave the grant out of what it finds. */
async function hasGrant(
  { records }: EngineRequest,
  { accountId, clientId }: RecordOf<'AccessToken'>,
): Promise<boolean> {
  if (!records.grant) await records.find('Grant', grantIdOf(accountId, clientId));
  const { grant } = records;
  return grant !== undefined && (grant.exp ?? Infinity) > epochSeconds();
}

/** The access token that was found, for a caller that may know it. RFC 7662 section 2.2. */
async function introspected(
  { boundaries }: IntrospectionParts,
  request: EngineRequest,
  caller: ClientMetadata,
): Promise<object> {
  const { records, site } = request;
  const ofPerson = records.last('AccessToken')?.record;
  const token = ofPerson ?? records.last('ClientCredentials')?.record;
  const permission = await request.permission();
  if (!token || !permission || permission.refusal !== undefined) return inactive;
  const { shown, scope } = toldOf(boundaries, permission, caller);
  return {
    active: true,
    sub: subjectOf(permission),
    client_audience: permission.audience,
    ...(ofPerson?.acr !== undefined && signedIn(ofPerson)),
    client_id: permission.clientId,
    exp: token.exp,
    iat: token.iat,
    iss: site.origin,
    aud: site.origin,
    ...(shown && { authorization_details: detailsOf(shown) }),
    scope,
    ...(token.jkt === undefined ? { token_type: 'Bearer' } : { cnf: { jkt: token.jkt }, token_type: 'DPoP' }),
    ...(isResourceServer(caller) && forResourceServer(site, permission, ofPerson)),
  };
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
