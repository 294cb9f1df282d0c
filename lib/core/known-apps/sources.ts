import * as z from 'zod';
import { webAddressField, group, type Shape } from '../../kernel/option-schemas.ts';

/** Where the facts of a row were found. */
export interface VendorSource {
  /** The address of the page, file or thread. */
  readonly url: string;
  /** The kind of source. `read`: the app's code or its vendor's documentation. `recorded`: a log or report of others. */
  readonly kind: 'read' | 'recorded';
}

/** @internal */
export const sourceSchema: z.ZodType<VendorSource> = group({
  url: webAddressField,
  kind: z.enum(['read', 'recorded']),
} satisfies Shape<VendorSource>).meta({ type: '`VendorSource`' });

export function read(url: string): VendorSource {
  return { url, kind: 'read' };
}

export function recorded(url: string): VendorSource {
  return { url, kind: 'recorded' };
}
