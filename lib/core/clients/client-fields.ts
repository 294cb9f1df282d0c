import * as z from 'zod';
import { keysProblem, type PublicKeys } from '../keys/public-keys.ts';
import { isMetadataDocumentId } from './client-id.ts';
import { list, shown, text } from '../../kernel/option-schemas.ts';
import { checkRedirectUri } from './redirect-uri.ts';
import type { Scope, ScopeCatalogue } from '../scopes/scopes.ts';
import { optionError, pathText } from '../../kernel/validate.ts';
import { checkEach } from '../../kernel/check-each.ts';

export const clientIdField = z
  .string('be printable ASCII without spaces')
  .regex(/^[\x21-\x7e]+$/)
  .refine((id) => !isMetadataDocumentId(id), 'not start with https://, which names a metadata document');

export const clientNameField = text();

const anyKind = { https: true, loopback: true, localhost: true, privateUse: true } as const;

function redirectUris(customScheme: boolean): z.ZodType<readonly string[]> {
  const problem = (uri: unknown): string | undefined =>
    typeof uri === 'string' ? checkRedirectUri(uri, { ...anyKind, customScheme }) : 'is not a string';
  const uri = z.custom<string>((given) => problem(given) === undefined, {
    error: ({ input }) => `be a redirect URI, but it ${problem(input)}`,
  });
  return list(uri.meta({ type: 'redirect URI' }), 'be an array of redirect URIs').refine(
    isOneClient,
    'not mix an https: address of this machine with http: addresses or addresses of apps',
  );
}

const localHttps = /^https:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?![^:/?])/;

const ownMachine = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;

export function isFixedCallback(uri: string): boolean {
  const { protocol, hostname = '' } = URL.parse(uri) ?? {};
  return protocol === 'https:' && !ownMachine.test(hostname);
}

/** The engine accepts `https://localhost` from web clients only, and those have neither loopback ports nor schemes of apps. */
function isOneClient(uris: readonly string[]): boolean {
  return !uris.some((uri) => localHttps.test(uri)) || uris.every((uri) => uri.startsWith('https:'));
}

export const redirectUrisField = redirectUris(false);

/** Also `cursor://…`: for clients of vendors that the platform knows. */
export const vendorRedirectUrisField = redirectUris(true);

export const publicKeysField: z.ZodType<PublicKeys | undefined> = z
  .custom<PublicKeys>((keys) => keysProblem(keys) === undefined, {
    error: ({ input }) => `be public keys, but it ${keysProblem(input)}`,
  })
  .meta({ type: 'key set or `https:` address' })
  .optional();

/** A list of scopes. Whether they exist is known once the catalogue is: see `checkScopes`. */
export const scopesField: z.ZodType<readonly Scope[]> = list(
  z
    .custom<Scope>((scope) => typeof scope === 'string', { error: ({ input }) => notInCatalogue(input) })
    .meta({ type: 'scope' }),
  'be an array of scopes',
);

function notInCatalogue(scope: unknown): string {
  return `be a scope of the catalogue, not ${shown(scope)}`;
}

/** @throws TypeError that names the scopes that do not exist, for example `requireAccess.scopes[0] must be …` */
export function checkScopes({ has, leftOut }: ScopeCatalogue, scopes: readonly string[], path: string): void {
  checkEach(scopes, (scope, i) => {
    if (has(scope)) return;
    const demand = leftOut.includes(scope)
      ? `not be ${shown(scope)}, which scopes.only leaves out`
      : notInCatalogue(scope);
    throw optionError(pathText([i], path), demand);
  });
}

export const audienceField = z.enum(['operator', 'member', 'service']);
