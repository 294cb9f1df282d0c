import * as z from 'zod';
import { checkRedirectUri } from '../../lib/protocol/redirect-uri.ts';

const withPath = /^https:\/\/[^/?]+(?:\/[^/?]+)+\/$/;

/** Nothing that two readers could split or decode differently: no dot, no percent-encoding, no further slash. */
const lastSegment = /^[A-Za-z0-9_-]{1,128}$/;

/** What follows a callback prefix, in words. */
export const lastSegmentText = 'one last segment of at most 128 letters, digits, - and _';

const demand = 'be an https: address with a path that ends with /, without a query';

export const callbackPrefixField: z.ZodString = z
  .string(demand)
  .refine((prefix) => withPath.test(prefix) && checkRedirectUri(prefix, { https: true }) === undefined, demand);

export function hasPrefix(uri: string, prefix: string): boolean {
  return uri.startsWith(prefix) && lastSegment.test(uri.slice(prefix.length));
}
