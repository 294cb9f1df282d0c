import type { StaticClient } from '../../lib/contracts/client.ts';
import type { RegistrationGuide, RegistrationPolicy } from '../../lib/contracts/registration.ts';
import { InvalidClientMetadata } from '../../lib/protocol/errors.ts';
import { checkRedirectUri } from '../../lib/protocol/redirect-uri.ts';
import { mayHave, type Scope } from '../../lib/protocol/scopes.ts';
import { isWebAddress, maxNameLength } from '../client-display.ts';
import { must } from '../options.ts';
import { operatorScopes } from '../scope-ceiling.ts';
import { vendorNames } from './names.ts';

/** A vendor whose product this platform vouches for. */
export interface VendorPlatform {
  /** The `client_id` that every registration under one of `names` gets. It may not start with `https://`. */
  readonly clientId: string;
  /** Shown on the consent page. */
  readonly clientName: string;
  /**
   * The names that it registers under: exact, or a pattern from `^` to `$`. Compared after NFKC, with white space
   * collapsed and without regard to case.
   */
  readonly names: readonly (string | RegExp)[];
  /** The vendor's own callbacks. What a registration posts never gets here. */
  readonly redirectUris: readonly string[];
  /** The most that it may ask for. @default every operator scope */
  readonly scopes?: readonly Scope[] | undefined;
  /** The product's home page. */
  readonly clientUri?: string | undefined;
}

/**
 * Registration for vendors known beforehand: a known `client_name` answers that vendor's `client_id`, a name that only
 * looks like one is refused to everybody. Specification: Registration rules 1.
 *
 * @throws TypeError that names the row, for example `vendorPlatforms[0].names[1] must be anchored: …`
 */
export function vendorPlatforms(platforms: readonly VendorPlatform[]): RegistrationPolicy {
  checkPlatforms(platforms);
  const names = vendorNames(platforms);
  return {
    name: 'vendorPlatforms',
    guide: guideOf(platforms),
    clients: platforms.map(clientOf),
    decide({ metadata: { client_name: name = '' } }) {
      if (name.length > maxNameLength) return undefined;
      const clientId = names.find(name);
      if (clientId !== undefined) return { decision: 'known', clientId };
      if (names.resembles(name)) {
        throw new InvalidClientMetadata(
          'client_name only looks like the name of a known integration; use a name of your own',
        );
      }
      return undefined;
    },
    refusal({ metadata }) {
      const subject = metadata.client_name === undefined ? 'client_name is missing: it' : 'client_name';
      return new InvalidClientMetadata(
        `${subject} matches no integration known here; ask an operator of the site for a client_id`,
      );
    },
  };
}

function guideOf(platforms: readonly VendorPlatform[]): RegistrationGuide {
  const [name] = platforms.flatMap(({ names }) => names.filter((known) => typeof known === 'string'));
  const known = platforms.map(({ clientName }) => clientName).join(', ');
  return {
    text: `A vendor platform that is known here registers under its own \`client_name\` and gets the \`client_id\` that it has here, with its own redirect URIs, whatever it posts. Known are: ${known}.`,
    ...(name !== undefined && { example: { client_name: name } }),
  };
}

function clientOf({ clientId, clientName, redirectUris, scopes, clientUri }: VendorPlatform): StaticClient {
  return {
    clientId,
    clientName,
    audience: 'operator',
    redirectUris: [...redirectUris],
    scopes: [...(scopes ?? operatorScopes)],
    clientUri,
  };
}

function checkPlatforms(platforms: unknown): void {
  must(Array.isArray(platforms), 'vendorPlatforms', 'be an array');
  const ids = new Set<unknown>();
  for (const [i, platform] of platforms.entries()) {
    must(typeof platform === 'object' && platform !== null, `vendorPlatforms[${i}]`, 'be an object');
    const { clientId } = platform;
    checkPlatform(platform, `vendorPlatforms[${i}]`);
    must(!ids.has(clientId), `vendorPlatforms[${i}].clientId`, `be unique; ${JSON.stringify(clientId)} is there twice`);
    ids.add(clientId);
  }
}

function checkPlatform(platform: Readonly<Record<string, unknown>>, path: string): void {
  const { clientId, clientName, names, redirectUris, scopes = [], clientUri } = platform;
  must(
    typeof clientId === 'string' && /^[\x21-\x7e]+$/.test(clientId) && !clientId.startsWith('https://'),
    `${path}.clientId`,
    'be printable ASCII without spaces, and not start with https://',
  );
  must(typeof clientName === 'string' && clientName !== '', `${path}.clientName`, 'be a non-empty string');
  must(Array.isArray(names) && names.length > 0, `${path}.names`, 'be an array with at least one name');
  for (const [i, name] of names.entries()) {
    must(typeof name === 'string' || name instanceof RegExp, `${path}.names[${i}]`, 'be a string or a RegExp');
  }
  must(Array.isArray(redirectUris) && redirectUris.length > 0, `${path}.redirectUris`, 'be an array with at least one');
  for (const [i, uri] of redirectUris.entries()) {
    const wrong =
      typeof uri === 'string'
        ? checkRedirectUri(uri, { https: true, loopback: true, localhost: true, privateUse: true })
        : 'is no string';
    must(wrong === undefined, `${path}.redirectUris[${i}]`, `be a redirect URI, but it ${wrong}`);
  }
  must(Array.isArray(scopes), `${path}.scopes`, 'be an array of scopes');
  for (const [i, scope] of scopes.entries()) {
    must(
      typeof scope === 'string' && mayHave('operator', scope),
      `${path}.scopes[${i}]`,
      `be an operator scope of the catalogue, not ${JSON.stringify(scope)}`,
    );
  }
  must(
    clientUri === undefined || (typeof clientUri === 'string' && isWebAddress(clientUri)),
    `${path}.clientUri`,
    'be an https: or http: address',
  );
}
