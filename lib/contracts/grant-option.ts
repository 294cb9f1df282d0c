import type { deviceGrant } from '../protocol/grant-types.ts';

/** A grant type that the host has switched on: what a function of `campus-oidc/grants` returns. */
export type OptionalGrant =
  | { readonly grantType: 'client_credentials' }
  | { readonly grantType: typeof deviceGrant; readonly registered: boolean };

/** Options of `deviceAuthorization`. */
export interface DeviceAuthorizationOptions {
  /**
   * Whether clients that register themselves can have it, if they ask for it in `grant_types`. Anyone can register under any name, and send
   * people a code of theirs. @default false
   */
  readonly registered?: boolean | undefined;
}
