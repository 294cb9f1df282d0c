import * as z from 'zod';
import type { DeviceAuthorizationOptions, OptionalGrant } from '../contracts/grant-option.ts';
import { authenticationMethods, type OptionalAuthentication } from '../protocol/client-authentication.ts';
import { deviceGrant, grantTypes } from '../protocol/grant-types.ts';
import { flag, group, list, type Members, refuse, repeated } from '../protocol/option-schemas.ts';
import { isObject, readOptions } from '../protocol/validate.ts';

/** Access tokens for services, which act for a school and not for a person. RFC 6749 section 4.4. */
export function clientCredentials(): OptionalGrant {
  return Object.freeze({ grantType: 'client_credentials' });
}

const deviceSchema = group({ registered: flag.default(false) } satisfies Members<DeviceAuthorizationOptions>).prefault(
  {},
);

/**
 * Sign-in on another device, for programs without a browser: `StaticClient.device` and `NewApplication.device`. RFC 8628.
 *
 * @throws TypeError that names the option, for example `deviceAuthorization.registered must be …`
 */
export function deviceAuthorization(options?: DeviceAuthorizationOptions): OptionalGrant {
  return Object.freeze({ grantType: deviceGrant, ...readOptions(deviceSchema, options, 'deviceAuthorization') });
}

const isGrant = (value: unknown): value is OptionalGrant =>
  isObject(value) && Object.values(grantTypes).some(({ feature, name }) => feature && name === value['grantType']);

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
