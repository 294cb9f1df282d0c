import * as z from 'zod';
import type { OptionalGrant } from './grant-option.ts';
import { authenticationMethods, type OptionalAuthentication } from './client-authentication.ts';
import { grantTypes } from './grant-type-table.ts';
import { list, refuse, repeated } from '../../kernel/option-schemas.ts';
import { isObject } from '../../kernel/validate.ts';

const isGrant = (value: unknown): value is OptionalGrant =>
  isObject(value) && Object.values(grantTypes).some(({ option, name }) => option && name === value['grantType']);

/** @internal */
export const grantsSchema: z.ZodType<readonly OptionalGrant[]> = list(
  z
    .custom<OptionalGrant>(isGrant, 'be what a function of campus-oidc/grants returns, for example clientCredentials()')
    .meta({ type: '`OptionalGrant`' }),
  'be an array, for example [clientCredentials()]',
).check((payload) => {
  const twice = repeated(payload.value.map(({ grantType }, i) => [i, grantType]));
  if (twice) refuse(payload, [twice[0]], twice[1]);
});

const methods = Object.values(authenticationMethods).flatMap(({ name, isOptional }) => (isOptional ? [name] : []));
const isMethod = (value: unknown): value is OptionalAuthentication => methods.some((name) => name === value);

/** @internal */
export const clientAuthenticationSchema: z.ZodType<readonly OptionalAuthentication[]> = list(
  z
    .custom<OptionalAuthentication>(isMethod, `be ${methods.map((name) => JSON.stringify(name)).join(' or ')}`)
    .meta({ type: methods.map((name) => `\`'${name}'\``).join(' or ') }),
  'be an array',
);
