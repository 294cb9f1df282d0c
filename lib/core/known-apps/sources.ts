import * as z from 'zod';
import { webAddressField, group, type Shape } from '../../kernel/option-schemas.ts';

/** Where the facts of a row were found. */
export interface VendorSource {
  /** The address of the page, file or thread. */
  readonly url: string;
  /** `read` in the app's own code or its vendor's documentation, or `recorded` by others: in a log or a report. */
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
