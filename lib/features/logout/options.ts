import * as z from 'zod';
import type { JsonMembers } from '../../kernel/json.ts';
import type { ClientPropertyRow, PropertyProblem } from '../contract.ts';

/** What a client has for logout. */
export interface LogoutClient {
  /**
   * Where a person can be sent after they signed out, 1 to 10: `https:` addresses, or loopback addresses with their port. A request must
   * name one of them exactly. @default nowhere
   */
  readonly postLogoutRedirectUris?: readonly string[] | undefined;
  /**
   * The `https:` address at which the application learns that a person has signed out, disconnected it, lost their role or was erased: the
   * school posts a logout token there. It must be reachable from the internet. @default none
   */
  readonly backchannelLogoutUri?: string | undefined;
}

const maxUris = 10;
const maxUriLength = 2000;

/** Browsers and servers must request what people read: the address in its plain form. */
function plainUrl(value: unknown): URL | undefined {
  const url = typeof value === 'string' && value.length <= maxUriLength ? URL.parse(value) : null;
  const isPlain = url !== null && (url.href === value || url.href === `${String(value)}/`) && url.username === '';
  return isPlain && url.password === '' && !String(value).includes('#') ? url : undefined;
}

function isAddress(value: unknown): boolean {
  const { protocol, hostname = '' } = plainUrl(value) ?? {};
  const isLoopback = protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
  return protocol === 'https:' || isLoopback;
}

function urisProblem(value: unknown): PropertyProblem | undefined {
  const uris: readonly unknown[] = Array.isArray(value) ? value : [];
  if (uris.length === 0) return { reason: `is not a list of 1 to ${maxUris} URIs` };
  if (uris.length > maxUris) return { code: 'many', reason: `has more than ${maxUris} URIs` };
  const wrong = uris.findIndex((uri) => !isAddress(uri));
  if (wrong < 0) return undefined;
  return { value: String(uris[wrong]), reason: 'is not a plain https: or loopback address without a fragment' };
}

function addressProblem(value: unknown): PropertyProblem | undefined {
  return plainUrl(value)?.protocol === 'https:'
    ? undefined
    : { reason: 'is not a plain https: address without a fragment' };
}

/** @internal */
export interface LogoutPropertyRow extends ClientPropertyRow {
  readonly option: 'logout';
  readonly finding: 'logout-off';
}

/** @internal */
export const logoutProperties: { readonly [M in keyof LogoutClient]-?: LogoutPropertyRow } = {
  postLogoutRedirectUris: { option: 'logout', finding: 'logout-off', problem: urisProblem },
  backchannelLogoutUri: { option: 'logout', finding: 'logout-off', problem: addressProblem },
};

function words(problem: PropertyProblem | undefined): string {
  const { value, reason = '' } = problem ?? {};
  return value === undefined ? reason : `has ${JSON.stringify(value)}, which ${reason}`;
}

const urisSchema: z.ZodType<readonly string[]> = z
  .custom<readonly string[]>((value) => urisProblem(value) === undefined, {
    error: ({ input }) => `be addresses for after a logout, but it ${words(urisProblem(input))}`,
  })
  .meta({ type: 'list of `https:` or loopback addresses' });

const addressSchema: z.ZodType<string> = z
  .custom<string>((value) => addressProblem(value) === undefined, {
    error: ({ input }) => `be an address for logout tokens, but it ${words(addressProblem(input))}`,
  })
  .meta({ type: '`https:` address' });

/** @internal */
export const logoutClientFields: {
  readonly postLogoutRedirectUris: z.ZodOptional<z.ZodType<readonly string[]>>;
  readonly backchannelLogoutUri: z.ZodOptional<z.ZodType<string>>;
} = { postLogoutRedirectUris: urisSchema.optional(), backchannelLogoutUri: addressSchema.optional() };

/** The same in an application, whose members are checked later. @internal */
export const logoutInputFields: { readonly [M in keyof LogoutClient]-?: z.ZodOptional<z.ZodUnknown> } = {
  postLogoutRedirectUris: z.unknown().optional(),
  backchannelLogoutUri: z.unknown().optional(),
};

/** As the record of a client has it. No other client than one of the platform or an administrator can: the names are ours. @internal */
export function storedLogout({
  postLogoutRedirectUris: uris,
  backchannelLogoutUri: address,
}: LogoutClient): JsonMembers {
  return {
    ...(uris !== undefined && { campus_post_logout_uris: uris }),
    ...(address !== undefined && { campus_backchannel_logout_uri: address }),
  };
}

/** A program that brings its metadata itself has no such address. @internal */
export function logoutOf({
  campus_source: source,
  campus_post_logout_uris: uris,
  campus_backchannel_logout_uri: address,
}: JsonMembers): LogoutClient {
  if (source === 'document' || source === 'registered') return {};
  const texts = Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : [];
  return {
    ...(texts.length > 0 && { postLogoutRedirectUris: texts }),
    ...(typeof address === 'string' && { backchannelLogoutUri: address }),
  };
}
