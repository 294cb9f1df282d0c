import type { VendorPlatform, VendorSource } from './vendor-platform.ts';

/** A row that says where its facts were found. */
export type SourcedVendor = VendorPlatform & { readonly sources: readonly VendorSource[] };

export function read(url: string): VendorSource {
  return { url, kind: 'read' };
}

export function recorded(url: string): VendorSource {
  return { url, kind: 'recorded' };
}

/** What the operators of one server found out about the callbacks of hosted programs. */
export const survey: VendorSource = recorded('https://github.com/koala73/worldmonitor/pull/8307');
