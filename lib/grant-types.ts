export type { OptionalGrant } from './contracts/grant-option.ts';
export { clientCredentials } from './options/grants.ts';
