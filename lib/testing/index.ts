export { type AuthorizationRequest, startAuthorization, type TokenResponse } from './authorization-request.ts';
export { type ClientConnection, expectClientConnects } from './expect-client-connects.ts';
export { expectPermission, type ExpectedPermission } from './expect-permission.ts';
export { expectHonours, type HonouredLimit } from './expect-honours.ts';
export type { FakeData, FakeMemberData } from './fake-data.ts';
export {
  type FakePerson,
  fakePlatform,
  type FakePlatform,
  type FakePlatformOptions,
  type FakeSchool,
} from './fake-platform.ts';
export { createTestCampus } from './test-campus.ts';
export { issueTokens, type TokenRequest } from './issue-tokens.ts';
export { storeContract, type StoreCase } from './store/store-contract.ts';
export { walkConsent, WalkStopped } from './walk-consent.ts';
export type { KnownClient } from '../simulated-clients/simulated-client.ts';
