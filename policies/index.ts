export {
  noEmailOf,
  onlyAtSchools,
  onlyRoles,
  reviewedOnly,
  unless,
  viewOnlyUnlessVerified,
  type Which,
  type Whom,
} from './access.ts';
export { type LoopbackClientsOptions, loopbackClients } from './loopback-clients.ts';
export { type KnownDocument, knownDocuments } from './documents/known.ts';
export { type MetadataDocumentsOptions, metadataDocuments } from './documents/metadata-documents.ts';
export { knownApps } from '../lib/core/known-apps/known-apps.ts';
export { operatorScopes, operatorScopesOf, unreviewedScopes, unreviewedScopesOf } from './client-metadata.ts';
export type { VendorPlatform } from './vendors/vendor-platform.ts';
export { vendorPlatforms } from './vendors/vendor-platforms.ts';
export { wellKnownVendors } from './vendors/well-known.ts';
