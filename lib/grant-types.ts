export type { DeviceAuthorizationOptions, OptionalGrant } from './contracts/grant-option.ts';
export { clientCredentials, deviceAuthorization } from './options/grants.ts';
