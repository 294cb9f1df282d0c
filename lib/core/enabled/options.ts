import * as z from 'zod';
import { added } from '../../kernel/added.ts';
import { type AddedShape, flag, list, refuse, repeated } from '../../kernel/option-schemas.ts';
import { isObject } from '../../kernel/validate.ts';
import type { OptionalAuthentication } from './client-authentication.ts';
import type { ClientMembers } from './client-member.ts';
import type { OptionalGrant } from './grant-option.ts';
import type { KnownToClients } from './enabled.ts';

export function grantsSchema({ grantTypes }: KnownToClients): z.ZodType<readonly OptionalGrant[]> {
  const isGrant = (value: unknown): boolean =>
    isObject(value) && grantTypes.some(({ option, name }) => option !== undefined && name === value['grantType']);
  return list(
    z
      .custom<OptionalGrant>(
        isGrant,
        'be what a function of campus-oidc/grants returns, for example clientCredentials()',
      )
      .meta({ type: '`OptionalGrant`' }),
    'be an array, for example [clientCredentials()]',
  ).check((payload) => {
    const twice = repeated(payload.value.map(({ grantType }, i) => [i, grantType]));
    if (twice) refuse(payload, [twice[0]], twice[1]);
  });
}

export function clientAuthenticationSchema({
  authentication,
}: KnownToClients): z.ZodType<readonly OptionalAuthentication[]> {
  const methods: readonly string[] = authentication.flatMap(({ name, isOptional }) => (isOptional ? [name] : []));
  const isMethod = (value: unknown): boolean => methods.some((name) => name === value);
  return list(
    z
      .custom<OptionalAuthentication>(isMethod, `be ${methods.map((name) => JSON.stringify(name)).join(' or ')}`)
      .meta({ type: methods.map((name) => `\`'${name}'\``).join(' or ') }),
    'be an array',
  );
}

/** Schemas of the members that features add to a client in the option `clients`. */
export function clientMemberSchemas({ byMember, properties }: KnownToClients): AddedShape<ClientMembers> {
  return added([
    ...byMember.map(({ clientMember }) => ({ [clientMember]: flag.default(false) })),
    ...properties.map(({ member, schema }) => ({ [member]: schema.optional() })),
  ]);
}

/** The same in an application, whose other members are checked later. */
export function applicationMemberSchemas({ byMember, properties }: KnownToClients): AddedShape<ClientMembers> {
  return added([
    ...byMember.map(({ clientMember }) => ({ [clientMember]: flag.optional() })),
    ...properties.map(({ member }) => ({ [member]: z.unknown().optional() })),
  ]);
}
