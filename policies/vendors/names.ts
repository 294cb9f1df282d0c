import { foldName, nameSkeleton, tidyName } from './name-skeleton.ts';
import { must } from '../options.ts';

/** What is needed to recognise a vendor by name. */
export interface NamedVendor {
  readonly clientId: string;
  readonly clientName: string;
  readonly names: readonly (string | RegExp)[];
}

/** The names of all vendors. */
export interface VendorNames {
  /** The `client_id` of the vendor that has this name. */
  find(name: string): string | undefined;
  /** Whether a person would take this name for one of the vendors' exact names or display names. */
  resembles(name: string): boolean;
}

/**
 * Reads the names of all vendors, once.
 *
 * @throws TypeError for a name that is empty or there twice, and for a pattern that is not anchored
 */
export function vendorNames(vendors: readonly NamedVendor[]): VendorNames {
  const exact = new Map<string, string>();
  const patterns: { readonly pattern: RegExp; readonly clientId: string }[] = [];
  const skeletons = new Set<string>();
  for (const [i, { clientId, clientName, names }] of vendors.entries()) {
    skeletons.add(nameSkeleton(clientName));
    for (const [j, name] of names.entries()) {
      const path = `vendorPlatforms[${i}].names[${j}]`;
      if (name instanceof RegExp) {
        patterns.push({ pattern: wholeName(name, path), clientId });
        continue;
      }
      const folded = foldName(name);
      must(folded !== '', path, 'not be empty');
      must(!exact.has(folded), path, `be unique; ${JSON.stringify(name)} is there twice`);
      exact.set(folded, clientId);
      skeletons.add(nameSkeleton(name));
    }
  }
  // A name without a letter or digit looks like nothing.
  skeletons.delete('');
  return {
    find(name) {
      const tidy = tidyName(name);
      return exact.get(foldName(name)) ?? patterns.find(({ pattern }) => pattern.test(tidy))?.clientId;
    },
    resembles(name) {
      return skeletons.has(nameSkeleton(name));
    },
  };
}

/** The pattern for a whole name, whatever its alternatives, without state and without regard to case. */
function wholeName(pattern: RegExp, path: string): RegExp {
  const anchored = /^\^.*(?<!\\)(?:\\\\)*\$$/s.test(pattern.source) && !pattern.multiline;
  must(anchored, path, 'be anchored: start with ^ and end with $, without the flag m');
  return new RegExp(`^(?:${pattern.source})$`, `i${pattern.flags.replaceAll(/[gimy]/g, '')}`);
}
