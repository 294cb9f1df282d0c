export { type LoopbackClientsOptions, loopbackClients } from './loopback-clients.ts';
export { type MetadataDocumentsOptions, metadataDocuments } from './metadata-documents.ts';
export { operatorScopes, unreviewedScopes } from './scope-ceiling.ts';
export { type VendorPlatform, vendorPlatforms } from './vendor-platforms.ts';
export { wellKnownVendors } from './well-known-vendors.ts';
