export type { OptionalGrant } from './core/enabled/grant-option.ts';
export { deviceAuthorization, type DeviceAuthorizationOptions } from './features/device/options.ts';
export { clientCredentials } from './features/services/grant.ts';
