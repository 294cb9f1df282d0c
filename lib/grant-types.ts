export type { OptionalGrant } from './contracts/grant-option.ts';
export { deviceAuthorization, type DeviceAuthorizationOptions } from './features/device/options.ts';
export { clientCredentials } from './features/services/options.ts';
