import * as z from 'zod';
import {
  clientIdField,
  clientNameField,
  scopesField,
  vendorRedirectUrisField,
} from '../../lib/core/clients/client-fields.ts';
import { clientUriField, flag, group, list, type Shape, refuse, repeated } from '../../lib/kernel/option-schemas.ts';
import { checkRedirectUri } from '../../lib/core/clients/redirect-uri.ts';
import { knownApp, type DescribedApp, type KnownAppId } from '../../lib/core/known-apps/known-apps.ts';
import { appField } from '../../lib/core/known-apps/app-field.ts';
import type { Scope } from '../../lib/core/scopes/scopes.ts';
import { sourceSchema, type VendorSource } from '../../lib/core/known-apps/sources.ts';
import { foldName } from './names.ts';

/** What is known of a vendor. */
export interface Vendor {
  /** The name on the consent page. */
  readonly clientName: string;
  /**
   * The names under which the vendor registers: exact, or a pattern from `^` to `$`. They are compared after NFKC, with white space
   * collapsed and case ignored.
   */
  readonly names: readonly (string | RegExp)[];
  /** The app of the client: an id of `knownApps`, or your own app. @default no known app */
  readonly app?: KnownAppId | DescribedApp | undefined;
  /** The scopes that the client may request. @default every operator scope */
  readonly scopes?: readonly Scope[] | undefined;
  /**
   * With `pairwise`, the shared client knows each person by a pseudonym. It gets only `openid`, and its tokens only work at UserInfo.
   * Requires the option `pseudonyms` of `createCampus`. Not allowed with `callbackPrefix`: use `access` to give these clients pseudonyms.
   * @default the id of the member
   */
  readonly subject?: 'pairwise' | undefined;
  /** The address of the product's home page. */
  readonly clientUri?: string | undefined;
  /**
   * Whether a registration with any name, or without one, belongs to this vendor if all its redirect URIs are the vendor's and not loopback
   * addresses. Use it for vendors that do not publish the name under which they register. The consent page still shows `clientName`.
   * @default false
   */
  readonly anyName?: boolean | undefined;
  /** The sources of the callbacks. @default none */
  readonly sources?: readonly VendorSource[] | undefined;
}

/** One client for all who use the product. */
export interface SharedClient {
  /** The `client_id` for registrations under one of `names`. It must not start with `https://`. */
  readonly clientId: string;
  /**
   * The vendor's callbacks. Redirect URIs in a registration request are ignored. The scheme may belong to the vendor's application, such as
   * `cursor://anysphere.cursor-mcp/oauth/callback`. All are compared exactly, except the port of a loopback address.
   */
  readonly redirectUris: readonly string[];
}

/** A client for each tool of the vendor. */
export interface OwnClients {
  /**
   * The start of callbacks that differ for each tool of the vendor: an `https:` address with a path that ends with `/` or `-`. A
   * registration becomes a separate client if all its redirect URIs have this prefix and one more segment. A shared client would send the
   * code of one tool to another.
   */
  readonly callbackPrefix: string;
}

/** A vendor with a known product: with a shared client, separate clients, or both. */
export type VendorPlatform = Vendor &
  (
    | (SharedClient & { readonly callbackPrefix?: string | undefined })
    | (OwnClients & { readonly clientId?: undefined; readonly redirectUris?: undefined })
  );

/** A row that says where its facts were found. */
export type SourcedVendor = VendorPlatform & { readonly sources: readonly VendorSource[] };

type More = Partial<Pick<Vendor, 'names' | 'anyName' | 'sources'>>;

/** What the row of a known app takes from `knownApps`. */
function knownAppRow(
  id: KnownAppId,
  { names, anyName = false, sources = [] }: More,
): Vendor & Pick<SourcedVendor, 'sources'> {
  const { name, homePage, source, names: registered } = knownApp(id);
  const row = { app: id, clientName: name, names: names ?? registered, clientUri: homePage };
  return { ...row, ...(anyName && { anyName }), sources: [source, ...sources] };
}

/** The row of a known app with one client for all: by default the id of the app is its `client_id`. */
export function oneClient(
  id: KnownAppId,
  redirectUris: readonly string[],
  { clientId = id, callbackPrefix, ...more }: More & { clientId?: string; callbackPrefix?: string } = {},
): SourcedVendor {
  return { ...knownAppRow(id, more), clientId, redirectUris, ...(callbackPrefix !== undefined && { callbackPrefix }) };
}

/** The row of a known app each of whose tools has a callback, and so a client, of its own. */
export function manyClients(id: KnownAppId, callbackPrefix: string, more: More = {}): SourcedVendor {
  return { ...knownAppRow(id, more), callbackPrefix };
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

const prefixWithPath = /^https:\/\/[^/?]+(?:\/[^/?]+)+[/-]$/;
const prefixDemand = 'be an https: address with a path that ends with / or -, without a query';
const namesDemand = 'be an array with at least one name';
const urisDemand = 'be an array with at least one redirect URI';

const vendorSchema = group({
  clientId: clientIdField.optional(),
  clientName: clientNameField,
  names: list(vendorName, namesDemand).refine((names) => names.length > 0, namesDemand),
  redirectUris: vendorRedirectUrisField.refine((uris) => uris.length > 0, urisDemand).optional(),
  callbackPrefix: z
    .string(prefixDemand)
    .refine(
      (prefix) => prefixWithPath.test(prefix) && checkRedirectUri(prefix, { https: true }) === undefined,
      prefixDemand,
    )
    .optional(),
  app: appField,
  scopes: scopesField.optional(),
  subject: z.literal('pairwise', 'be "pairwise"').optional(),
  clientUri: clientUriField,
  anyName: flag.default(false),
  sources: list(sourceSchema, 'be an array of sources').optional(),
} satisfies Shape<VendorPlatform>);

/** A row whose values were checked: `clientId` and `redirectUris` are set together. @internal */
export type CheckedVendor = z.infer<typeof vendorSchema>;

/** @internal */
export const vendorsSchema: z.ZodType<readonly CheckedVendor[]> = list(
  vendorSchema.check(checkVendor),
  'be an array',
).check((payload) => {
  const ids = payload.value.flatMap(({ clientId }, i) =>
    clientId === undefined ? [] : [[[i, 'clientId'], clientId] as const],
  );
  const names = payload.value.flatMap((vendor, i) =>
    vendor.names.flatMap((name, j) => (typeof name === 'string' ? [[[i, 'names', j], foldName(name)] as const] : [])),
  );
  const twice = repeated<readonly PropertyKey[]>(ids) ?? repeated<readonly PropertyKey[]>(names);
  if (twice) refuse(payload, ...twice);
});

function checkVendor(payload: z.core.ParsePayload<CheckedVendor>): void {
  const { clientId, redirectUris, callbackPrefix, subject } = payload.value;
  if (subject !== undefined && callbackPrefix !== undefined)
    refuse(payload, ['subject'], 'not be set with callbackPrefix; give these clients pseudonyms by access');
  if (clientId === undefined && redirectUris !== undefined) refuse(payload, ['clientId'], 'be set with redirectUris');
  if (redirectUris !== undefined || (clientId === undefined && callbackPrefix !== undefined)) return;
  refuse(payload, ['redirectUris'], clientId === undefined ? 'be set, or callbackPrefix' : 'be set with clientId');
}
