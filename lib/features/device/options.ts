import type { OptionalGrant } from '../../core/enabled/grant-option.ts';
import type { HourlyLimit } from '../../kernel/hourly-limit.ts';
import { flag, group, type Shape } from '../../kernel/option-schemas.ts';
import { readOptions } from '../../kernel/validate.ts';
import { deviceGrant } from './names.ts';

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
     * Whether it may be authorized on another device: `deviceAuthorization()` of `campus-oidc/grants`. It need not have `redirectUris` then.
     * @default false
     */
    readonly device?: boolean | undefined;
  }
}

declare module '../../core/limits/limits.ts' {
  interface FeatureLimits {
    /** User codes that are entered at `/oauth/device`. One person can enter 60. @default { perAddress: 600, perSite: 3000 } */
    readonly userCodes: HourlyLimit;
  }
}
