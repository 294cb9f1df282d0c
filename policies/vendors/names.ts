import { foldName, nameSkeleton, tidyName } from './name-skeleton.ts';

export interface NamedVendor {
  readonly clientId: string;
  readonly clientName: string;
  readonly names: readonly (string | RegExp)[];
}

export interface VendorNames {
  /** The `client_id` of the vendor that has this name. */
  find(name: string): string | undefined;
  /** Whether this name looks like one of the vendors' exact names or display names. */
  resembles(name: string): boolean;
}

/** An index of the names of all vendors. */
export function vendorNames(vendors: readonly NamedVendor[]): VendorNames {
  const exact = new Map<string, string>();
  const patterns: { readonly pattern: RegExp; readonly clientId: string }[] = [];
  const skeletons = new Set<string>();
  for (const { clientId, clientName, names } of vendors) {
    skeletons.add(nameSkeleton(clientName));
    for (const name of names) {
      if (name instanceof RegExp) {
        patterns.push({ pattern: wholeName(name), clientId });
        continue;
      }
      exact.set(foldName(name), clientId);
      skeletons.add(nameSkeleton(name));
    }
  }
  // The skeleton of a name without letters and digits.
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

/** Matches the whole name with every alternative of the pattern, keeps no state and ignores case. */
function wholeName(pattern: RegExp): RegExp {
  return new RegExp(`^(?:${pattern.source})$`, `i${pattern.flags.replaceAll(/[gimy]/g, '')}`);
}
