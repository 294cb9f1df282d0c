/**
 * The member that `id_token_hint` names, `undefined` without one. The engine has verified the token when the request arrived.
 * OIDC Core section 3.1.2.1.
 */
export function hintedMember({ id_token_hint: hint }: Readonly<Record<string, unknown>>): unknown {
  if (typeof hint !== 'string') return undefined;
  const claims: unknown = JSON.parse(Buffer.from(hint.split('.')[1] ?? '', 'base64url').toString());
  return typeof claims === 'object' && claims !== null && 'sub' in claims ? claims.sub : undefined;
}
