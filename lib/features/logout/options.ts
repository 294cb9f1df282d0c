import * as z from 'zod';
import type { JsonMembers } from '../../kernel/json.ts';
import { type ClientProperty, propertiesOf, type PropertyProblem } from '../../core/enabled/client-property.ts';

const maxUris = 10;
const maxUriLength = 2000;

declare module '../../core/enabled/client-member.ts' {
  interface ClientProperties {
    /**
     * The addresses to which a person can be sent after sign-out: 1 to 10 `https:` addresses, or loopback addresses with their port. A
     * request must name one of them exactly. @default nowhere
     */
    readonly postLogoutRedirectUris?: readonly string[] | undefined;
    /**
     * The `https:` address to which the school posts a logout token when a person signs out, disconnects the application, loses their role
     * or is erased. It must be reachable from the internet. @default none
     */
    readonly backchannelLogoutUri?: string | undefined;
  }
}

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

function words(problem: PropertyProblem | undefined): string {
  const { value, reason = '' } = problem ?? {};
  return value === undefined ? reason : `has ${JSON.stringify(value)}, which ${reason}`;
}

const urisSchema = z
  .custom<readonly string[]>((value) => urisProblem(value) === undefined, {
    error: ({ input }) => `be addresses for after a logout, but it ${words(urisProblem(input))}`,
  })
  .meta({ type: 'list of `https:` or loopback addresses' });

const addressSchema = z
  .custom<string>((value) => addressProblem(value) === undefined, {
    error: ({ input }) => `be an address for logout tokens, but it ${words(addressProblem(input))}`,
  })
  .meta({ type: '`https:` address' });

const shared = {
  option: 'logout',
  whenOff: {
    /** A school has applications with addresses for logout, but the option `logout` is not set. */
    id: 'logout-off',
    fix: 'set the option logout, or remove the addresses. Without the option, people are not signed out of these, and they cannot sign people out of the school',
  },
} as const;

/** What a client has for logout. @internal */
export const logoutProperties: readonly ClientProperty[] = [
  {
    ...shared,
    member: 'postLogoutRedirectUris',
    schema: urisSchema,
    problem: urisProblem,
    stored: 'campus_post_logout_uris',
    read: (uris) => {
      const texts = Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : [];
      return texts.length > 0 ? texts : undefined;
    },
  },
  {
    ...shared,
    member: 'backchannelLogoutUri',
    schema: addressSchema,
    problem: addressProblem,
    stored: 'campus_backchannel_logout_uri',
    read: (address) => (typeof address === 'string' ? address : undefined),
  },
];

/** Where people go back to, and where a client learns that they are signed out. @internal */
export interface LogoutAddresses {
  readonly postLogoutRedirectUris?: readonly string[] | undefined;
  readonly backchannelLogoutUri?: string | undefined;
}

/** That of the record of a client. @internal */
export function logoutOf(client: JsonMembers): LogoutAddresses {
  return propertiesOf(logoutProperties, client);
}
