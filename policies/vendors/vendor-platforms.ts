import type { PolicyClient } from '../../lib/core/clients/client.ts';
import type {
  RegistrationGuide,
  RegistrationPolicy,
  RegistrationVerdict,
} from '../../lib/features/registration/domain/registration-policy.ts';
import type { RegistrationMetadata } from '../../lib/core/clients/registered-metadata.ts';
import { InvalidClientMetadata, InvalidRedirectUri } from '../../lib/kernel/errors.ts';
import { appNamed } from '../../lib/core/known-apps/known-apps.ts';
import { shown } from '../../lib/kernel/option-schemas.ts';
import type { ScopeRow } from '../../lib/core/scopes/scopes.ts';
import { optionError, readOptions } from '../../lib/kernel/validate.ts';
import { maxNameLength, maxRedirectUris, operatorScopesOf, registrationDefaults } from '../client-metadata.ts';
import { VendorNames } from './names.ts';
import { type CheckedVendor, type VendorPlatform, vendorsSchema } from './vendor-platform.ts';
import { checkEach } from '../../lib/kernel/check-each.ts';

/**
 * Returns a registration policy for known vendors. A known `client_name` gets that vendor's `client_id`, or a separate client if each tool
 * of the vendor has its own callback. A name that only looks like a known name is refused. Specification: Registration rules 1.
 *
 * @throws TypeError that names the option, for example `vendorPlatforms[0].names[1] must be anchored: …`; `createCampus` throws one for an
 * unknown scope
 */
export function vendorPlatforms(platforms: readonly VendorPlatform[]): RegistrationPolicy {
  const vendors = readOptions(vendorsSchema, platforms, 'vendorPlatforms');
  const names = new VendorNames(vendors);
  return {
    name: 'vendorPlatforms',
    guide: guideOf(vendors),
    clients: vendors.flatMap(sharedClient),
    apps: vendors.flatMap(({ app }) => appNamed(app)?.id ?? []),
    checkScopes: (rows) =>
      checkEach(vendors, (vendor, i) => checkVendorScopes(vendor, `vendorPlatforms[${i}].scopes`, rows)),
    decide({ metadata, scopes }) {
      const { client_name: name = '' } = metadata;
      if (name.length > maxNameLength) return undefined;
      const vendor =
        (name === '' ? undefined : names.find(name)) ??
        vendors.find((row) => row.anyName && ownsAll(row, metadata.redirect_uris));
      if (vendor) return verdictFor(vendor, metadata, vendor.scopes ?? operatorScopesOf(scopes));
      if (names.resembled(name)) {
        throw new InvalidClientMetadata(
          'client_name must not look like the name of a known integration; use another name',
        );
      }
      return undefined;
    },
    refusal({ metadata }) {
      const subject = metadata.client_name === undefined ? 'client_name is missing: it' : 'client_name';
      return new InvalidClientMetadata(
        `${subject} does not match a known integration; ask an administrator of the school for a client_id`,
      );
    },
  };
}

function checkVendorScopes({ scopes = [] }: CheckedVendor, path: string, rows: readonly ScopeRow[]): void {
  const known = new Set<string>(operatorScopesOf(rows));
  checkEach(scopes, (scope, i) => {
    if (known.has(scope)) return;
    throw optionError(`${path}[${i}]`, `be an operator scope of the catalogue, not ${shown(scope)}`);
  });
}

function sharedClient(vendor: CheckedVendor): PolicyClient[] {
  const { clientId, clientName, redirectUris, scopes, clientUri, app, subject } = vendor;
  if (clientId === undefined || redirectUris === undefined) return [];
  return [{ clientId, clientName, redirectUris, scopes, clientUri, app, subject, audience: 'operator' }];
}

/** Nothing that two readers could split or decode differently: no dot, no percent-encoding, no further slash. */
const lastSegment = /^[A-Za-z0-9_-]{1,128}$/;
function restText(prefix = ''): string {
  const rest = prefix.endsWith('/') ? 'one last segment' : 'the rest of its last segment';
  return `${rest} of at most 128 letters, digits, - and _`;
}

function hasPrefix(uri: string, prefix: string | undefined): boolean {
  return prefix !== undefined && uri.startsWith(prefix) && lastSegment.test(uri.slice(prefix.length));
}

/** Whether all are the vendor's own; a loopback address is no one's. The response is that of the vendor's name, which anyone can post. */
function ownsAll({ redirectUris = [], callbackPrefix }: CheckedVendor, uris: readonly string[] = []): boolean {
  const isOwn = (uri: string): boolean =>
    (redirectUris.includes(uri) && !uri.startsWith('http:')) || hasPrefix(uri, callbackPrefix);
  return uris.length > 0 && uris.every(isOwn);
}

function verdictFor(
  vendor: CheckedVendor,
  metadata: RegistrationMetadata,
  scopes: readonly string[],
): RegistrationVerdict {
  const { clientId, clientName, callbackPrefix, clientUri } = vendor;
  const uris = [...new Set(metadata.redirect_uris)];
  const isOfTool = ownsAll(vendor, uris) && uris.some((uri) => hasPrefix(uri, callbackPrefix));
  if (isOfTool && uris.length <= maxRedirectUris) {
    const names = { client_name: clientName, client_uri: clientUri } as const;
    const admitted = { ...registrationDefaults, ...names, application_type: 'web', redirect_uris: uris } as const;
    const app = appNamed(vendor.app);
    const known = app && { app: { ...app, verified: true } };
    return { decision: 'admit', metadata: { ...admitted, scope: scopes.join(' ') }, ...known };
  }
  if (clientId !== undefined) return { decision: 'known', clientId };
  throw new InvalidRedirectUri(
    `under this client_name, redirect_uris must be 1 to ${maxRedirectUris} addresses: each ${callbackPrefix} and ${restText(callbackPrefix)}`,
  );
}

function guideOf(vendors: readonly CheckedVendor[]): RegistrationGuide {
  const shared = vendors.filter(({ clientId }) => clientId !== undefined);
  const anyName = vendors.filter((vendor) => vendor.anyName);
  const text = [
    shared.length > 0 &&
      `A known vendor platform registers under its own \`client_name\` and gets its existing \`client_id\` with the vendor's own redirect URIs. Redirect URIs in the request are ignored. Known vendor platforms: ${namesOf(shared)}.`,
    ...vendors.map(
      ({ clientName, callbackPrefix }) =>
        callbackPrefix !== undefined &&
        `${clientName} gets a separate client if each of its \`redirect_uris\` is \`${callbackPrefix}\` and ${restText(callbackPrefix)}.`,
    ),
    anyName.length > 0 && `Under any \`client_name\`, their \`redirect_uris\` identify ${namesOf(anyName)}.`,
  ].filter((sentence) => sentence !== false);
  const example = exampleOf(shared) ?? exampleOf(vendors);
  return { text: text.join(' '), ...(example && { example }) };
}

function namesOf(vendors: readonly CheckedVendor[]): string {
  return vendors.map(({ clientName }) => clientName).join(', ');
}

function exampleOf(vendors: readonly CheckedVendor[]): RegistrationMetadata | undefined {
  for (const { clientId, callbackPrefix, names } of vendors) {
    const name = names.find((known) => typeof known === 'string');
    const uris = clientId === undefined ? { redirect_uris: [`${callbackPrefix}example`] } : {};
    if (name !== undefined) return { client_name: name, ...uris };
  }
  return undefined;
}
