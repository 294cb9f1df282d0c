import type { AppInfo } from '../lib/core/clients/client.ts';
import type { RegistrationPolicy } from '../lib/features/registration/domain/registration-policy.ts';
import type { RegistrationMetadata } from '../lib/core/clients/registered-metadata.ts';
import { isWebAddress, flag, group, type Shape, whole } from '../lib/kernel/option-schemas.ts';
import { knownApps, appNamed } from '../lib/core/known-apps/known-apps.ts';
import { InvalidClientMetadata, InvalidRedirectUri } from '../lib/kernel/errors.ts';
import { checkRedirectUri, isLoopbackRedirect } from '../lib/core/clients/redirect-uri.ts';
import { readOptions } from '../lib/kernel/validate.ts';
import { checkName, maxRedirectUris, operatorScopesOf, registrationDefaults } from './client-metadata.ts';
import { VendorNames } from './vendors/names.ts';

/** Options of `loopbackClients`. */
export interface LoopbackClientsOptions {
  /**
   * Whether `http://localhost[:port]/…` is also a loopback address. Many apps only use this form, although RFC 8252 section 8.3 advises
   * against it. `false` follows the specification literally (Registration rules 2). @default true
   */
  readonly localhost?: boolean | undefined;
  /** Time after which a registration that no one authorized is removed, in seconds. @default 86400 (24 hours) */
  readonly ttl?: number | undefined;
}

const day = 24 * 60 * 60;

/** @internal */
export const loopbackClientsSchema = group({
  localhost: flag.default(true),
  ttl: whole('whole number of seconds', 1, 365 * day).default(day),
} satisfies Shape<LoopbackClientsOptions>).prefault({});

/**
 * Open registration (RFC 7591) for command-line tools, desktop applications and local agents: clients whose redirect URIs are all loopback
 * addresses. It does not decide requests without redirect URIs. Specification: Registration rules 2.
 *
 * @throws TypeError that names the option, for example `loopbackClients.ttl must be …`
 */
export function loopbackClients(options?: LoopbackClientsOptions): RegistrationPolicy {
  const { localhost, ttl } = readOptions(loopbackClientsSchema, options, 'loopbackClients');
  return {
    name: 'loopbackClients',
    guide: {
      text: `A command-line tool, desktop application or local agent registers with only loopback addresses as its \`redirect_uris\`: \`http://127.0.0.1:PORT/…\`${localhost ? ', `http://localhost:PORT/…`' : ''} or \`http://[::1]:PORT/…\`. At the authorization endpoint only the port may differ. The client never gets a secret. Its registration is removed unless a person authorizes the client within ${Math.max(1, Math.round(ttl / 3600))} hours.`,
      example: {
        client_name: 'Example tool',
        application_type: 'native',
        redirect_uris: ['http://127.0.0.1:8123/callback'],
        token_endpoint_auth_method: 'none',
      },
    },
    decide({ metadata, scopes }) {
      const uris = metadata.redirect_uris ?? [];
      if (!uris.some((uri) => isLoopbackRedirect(uri, { localhost }))) return undefined;
      const wrong = wrongRedirectUris(uris, localhost);
      if (wrong !== undefined) throw new InvalidRedirectUri(wrong);
      checkMetadata(metadata);
      const { client_name, client_uri, logo_uri, tos_uri, policy_uri } = metadata;
      const registered = {
        ...registrationDefaults,
        client_name: client_name?.trim() || undefined,
        application_type: 'native',
        redirect_uris: [...new Set(uris)],
        client_uri,
        logo_uri,
        tos_uri,
        policy_uri,
        // The posted scope is not a limit: SDKs post the scopes of the first challenge and ask for more later.
        scope: operatorScopesOf(scopes).join(' '),
      } as const;
      const app = claimedApp(registered.client_name);
      return { decision: 'admit', ttl, metadata: registered, ...(app && { app }) };
    },
    refusal({ metadata }) {
      return new InvalidRedirectUri(
        wrongRedirectUris(metadata.redirect_uris ?? [], localhost) ?? 'redirect_uris are not loopback addresses',
      );
    },
  };
}

const appNames = new VendorNames(knownApps.map((app) => ({ clientName: app.name, ...app })));

/** The app whose name it is or looks like: `Claude Code (harbour)` is Claude Code. Any app can claim a name. */
function claimedApp(name = ''): AppInfo | undefined {
  const plain = name.replace(/\([^()]*\)$/, '').trim();
  const row = appNames.find(plain) ?? appNames.resembled(plain);
  const app = appNamed(row?.id);
  return app && { ...app, verified: false };
}

function wrongRedirectUris(uris: readonly string[], localhost: boolean): string | undefined {
  if (uris.length === 0) return 'redirect_uris is missing or empty; name a loopback address such as http://127.0.0.1/';
  if (uris.length > maxRedirectUris) return `redirect_uris has more than ${maxRedirectUris} addresses`;
  for (const [i, uri] of uris.entries()) {
    const wrong = checkRedirectUri(uri, { loopback: true, localhost });
    if (wrong !== undefined)
      return `redirect_uris[${i}] ${wrong}; open registration is for loopback addresses only, so for another address ask an administrator of the school for an application`;
  }
  return undefined;
}

function checkMetadata(metadata: RegistrationMetadata): void {
  const wrong = checkName(metadata.client_name ?? '');
  if (wrong !== undefined) throw new InvalidClientMetadata(`client_name ${wrong}`);
  for (const member of ['client_uri', 'logo_uri', 'tos_uri', 'policy_uri'] as const) {
    const address = metadata[member];
    if (address !== undefined && !isWebAddress(address)) {
      throw new InvalidClientMetadata(`${member} must be an https: or http: address`);
    }
  }
}
