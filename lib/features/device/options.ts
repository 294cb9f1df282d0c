import type { OptionalGrant } from '../../core/enabled/grant-option.ts';
import type { HourlyLimit } from '../../kernel/hourly-limit.ts';
import { flag, group, type Shape } from '../../kernel/option-schemas.ts';
import { readOptions } from '../../kernel/validate.ts';
import { deviceGrant } from './names.ts';

/** Options of `deviceAuthorization`. */
export interface DeviceAuthorizationOptions {
  /**
   * Whether clients that register themselves can have it, if they request it in `grant_types`. Anyone can register under any name and send
   * people a code. @default false
   */
  readonly registered?: boolean | undefined;
}

const schema = group({ registered: flag.default(false) } satisfies Shape<DeviceAuthorizationOptions>).prefault({});

/**
 * Sign-in on another device, for apps without a browser: `StaticClient.device` and `NewApplication.device`. RFC 8628.
 *
 * @throws TypeError that names the option, for example `deviceAuthorization.registered must be …`
 */
export function deviceAuthorization(options?: DeviceAuthorizationOptions): OptionalGrant {
  return Object.freeze({ grantType: deviceGrant, ...readOptions(schema, options, 'deviceAuthorization') });
}

declare module '../../core/enabled/client-member.ts' {
  interface GrantMembers {
    /**
     * Whether people may connect the client on another device, with `deviceAuthorization()` of `campus-oidc/grants`. `redirectUris` may
     * then be empty.
     * @default false
     */
    readonly device?: boolean | undefined;
  }
}

declare module '../../core/limits/limits.ts' {
  interface FeatureLimits {
    /** User codes entered at `/oauth/device`. One person can enter 60. @default { perAddress: 600, perSite: 3000 } */
    readonly userCodes: HourlyLimit;
  }
}
