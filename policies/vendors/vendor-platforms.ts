import * as z from 'zod';
import type { StaticClient } from '../../lib/contracts/client.ts';
import type { RegistrationGuide, RegistrationPolicy } from '../../lib/contracts/registration.ts';
import {
  clientIdField,
  clientNameField,
  clientUriField,
  redirectUrisField,
  scopesField,
} from '../../lib/protocol/client-fields.ts';
import { InvalidClientMetadata } from '../../lib/protocol/errors.ts';
import { group, list, type Members, refuse, repeated } from '../../lib/protocol/option-schemas.ts';
import { mayHave, type Scope } from '../../lib/protocol/scopes.ts';
import { readOptions } from '../../lib/protocol/validate.ts';
import { maxNameLength } from '../client-display.ts';
import { operatorScopes } from '../scope-ceiling.ts';
import { foldName, VendorNames } from './names.ts';

/** A vendor whose product the platform vouches for. */
export interface VendorPlatform {
  /** The `client_id` that every registration under one of `names` gets. It may not start with `https://`. */
  readonly clientId: string;
  /** The name on the consent page. */
  readonly clientName: string;
  /**
   * The names that it registers under: exact, or a pattern from `^` to `$`. They are compared after NFKC, with white space
   * collapsed and case ignored.
   */
  readonly names: readonly (string | RegExp)[];
  /** The vendor's own callbacks. Those of a registration request are ignored. */
  readonly redirectUris: readonly string[];
  /** The scopes that it may ask for. @default every operator scope */
  readonly scopes?: readonly Scope[] | undefined;
  /** The product's home page. */
  readonly clientUri?: string | undefined;
}

const vendorName = z
  .union(
    [
      z.string().refine((given) => foldName(given) !== '', 'not be empty'),
      z.instanceof(RegExp).refine(isAnchored, 'be anchored: start with ^ and end with $, without the flag m'),
    ],
    'be a string or a RegExp',
  )
  .meta({ type: 'string or RegExp' });

function isAnchored(pattern: RegExp): boolean {
  return /^\^.*(?<!\\)(?:\\\\)*\$$/s.test(pattern.source) && !pattern.multiline;
}

const namesDemand = 'be an array with at least one name';
const urisDemand = 'be an array with at least one redirect URI';

const schema = list(
  group({
    clientId: clientIdField,
    clientName: clientNameField,
    names: list(vendorName, namesDemand)
      .refine((names) => names.length > 0, namesDemand)
      .describe('The names that it registers under: exact, or a pattern from `^` to `$`.'),
    redirectUris: redirectUrisField.refine((uris) => uris.length > 0, urisDemand),
    scopes: scopesField('an operator scope', (scope) => mayHave('operator', scope))
      .optional()
      .describe('The scopes that it may ask for. Without it, every operator scope.'),
    clientUri: clientUriField,
  } satisfies Members<VendorPlatform>),
  'be an array',
).check((payload) => {
  const ids = payload.value.map(({ clientId }, i) => [[i, 'clientId'], clientId] as const);
  const names = payload.value.flatMap((vendor, i) =>
    vendor.names.flatMap((name, j) => (typeof name === 'string' ? [[[i, 'names', j], foldName(name)] as const] : [])),
  );
  const twice = repeated<readonly PropertyKey[]>(ids) ?? repeated<readonly PropertyKey[]>(names);
  if (twice) refuse(payload, ...twice);
});

/** @internal */
export const vendorPlatformsSchema: z.ZodType = schema;

/**
 * Registration for vendors that are known in advance: a known `client_name` gets that vendor's `client_id`, and a name
 * that only looks like a known one is refused. Specification: Registration rules 1.
 *
 * @throws TypeError that names the option, for example `vendorPlatforms[0].names[1] must be anchored: …`
 */
export function vendorPlatforms(platforms: readonly VendorPlatform[]): RegistrationPolicy {
  const vendors = readOptions(schema, platforms, 'vendorPlatforms');
  const names = new VendorNames(vendors);
  return {
    name: 'vendorPlatforms',
    guide: guideOf(vendors),
    clients: vendors.map(clientOf),
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
        `${subject} does not match a known integration; ask an operator of the site for a client_id`,
      );
    },
  };
}

function guideOf(platforms: readonly VendorPlatform[]): RegistrationGuide {
  const [name] = platforms.flatMap(({ names }) => names.filter((known) => typeof known === 'string'));
  const known = platforms.map(({ clientName }) => clientName).join(', ');
  return {
    text: `A known vendor platform registers under its own \`client_name\` and gets its existing \`client_id\` with the vendor's own redirect URIs; redirect URIs in the request are ignored. Known vendor platforms: ${known}.`,
    ...(name !== undefined && { example: { client_name: name } }),
  };
}

function clientOf({ names: _names, ...vendor }: VendorPlatform): StaticClient {
  return { ...vendor, audience: 'operator', scopes: vendor.scopes ?? operatorScopes };
}
