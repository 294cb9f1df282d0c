export type { OptionalGrant } from './core/offered/grant-option.ts';
export { deviceAuthorization, type DeviceAuthorizationOptions } from './features/device/options.ts';
export { clientCredentials } from './features/services/grant.ts';
