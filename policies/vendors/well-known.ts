import { assistants } from './assistants.ts';
import { developerTools } from './developer-tools.ts';
import type { SourcedVendor } from './vendor-platform.ts';

/**
 * Well-known vendors for `vendorPlatforms`, to be used whole or filtered: programs with a fixed `https:` callback, a scheme of
 * their own, or a list that mixes these with loopback addresses. Programs that use loopback addresses alone, such as Claude
 * Code, Codex or Zed, need no row: `loopbackClients` serves them. Every row has its `sources`; a vendor can change its
 * callbacks, so compare a row with them before you depend on it. Rows with `anyName` are for vendors whose name in a
 * registration was not found: `names` has the name of the product.
 */
export const wellKnownVendors: readonly SourcedVendor[] = [...assistants, ...developerTools];
