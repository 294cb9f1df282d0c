import type * as z from 'zod';
import { type HourlyLimit, hourlyLimitSchema } from '../../kernel/hourly-limit.ts';
import { flag, group, type Shape } from '../../kernel/option-schemas.ts';
import { readOptions } from '../../kernel/validate.ts';
import { type DeviceGrant, deviceGrant } from './facts.ts';

/** Options of `deviceAuthorization`. */
export interface DeviceAuthorizationOptions {
  /**
   * Whether clients that register themselves can have it, if they ask for it in `grant_types`. Anyone can register under any name, and send
   * people a code of theirs. @default false
   */
  readonly registered?: boolean | undefined;
}

const schema = group({ registered: flag.default(false) } satisfies Shape<DeviceAuthorizationOptions>).prefault({});

/**
 * Sign-in on another device, for programs without a browser: `StaticClient.device` and `NewApplication.device`. RFC 8628.
 *
 * @throws TypeError that names the option, for example `deviceAuthorization.registered must be …`
 */
export function deviceAuthorization(options?: DeviceAuthorizationOptions): DeviceGrant {
  return Object.freeze({ grantType: deviceGrant, ...readOptions(schema, options, 'deviceAuthorization') });
}

/** What a client has for it. */
export interface DeviceClientField {
  /**
   * Whether it may be authorized on another device: `deviceAuthorization()` of `campus-oidc/grants`. It need not have `redirectUris` then.
   * @default false
   */
  readonly device?: boolean | undefined;
}

/** @internal */
export const deviceClientField: { readonly device: z.ZodDefault<z.ZodBoolean> } = { device: flag.default(false) };

/** The same in an application, whose other members are checked later. @internal */
export const deviceInputField: { readonly device: z.ZodOptional<z.ZodBoolean> } = { device: flag.optional() };

export interface DeviceLimits {
  /** User codes that are entered at `/oauth/device`. One person can enter 60. @default { perAddress: 600, perSite: 3000 } */
  readonly userCodes: HourlyLimit;
}

/** @internal */
export const deviceLimits: { readonly userCodes: z.ZodPrefault<z.ZodType<HourlyLimit>> } = {
  userCodes: hourlyLimitSchema.prefault({ perAddress: 600, perSite: 3000 }),
};
