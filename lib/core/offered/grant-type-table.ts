import type { GrantTypeRow } from '../../features/contract.ts';
import { type FeatureFinding, type FeatureGrantRow, featureGrants } from '../../features/facts.ts';
import { optional, required } from '../../kernel/request-parameter.ts';

/** A value of `grant_type`. */
export type GrantType = 'authorization_code' | 'refresh_token' | FeatureGrantRow['name'];

/** Every grant type. What a campus offers is in `Offered`; everything else derives from the rows. */
export const grantTypes: { readonly [G in GrantType]: GrantTypeRow & { readonly name: G } } = {
  authorization_code: {
    name: 'authorization_code',
    reused: 'authorization code already consumed',
    clients: 'people',
    schema: 'CodeExchange',
    parameters: [
      required('code', 'The authorization code. It can be redeemed once.'),
      required('redirect_uri', 'The value from the authorization request.'),
      required('code_verifier', 'The verifier of the `code_challenge` that was sent to the authorization endpoint.'),
      optional('resource', 'As in the authorization request. Required for member clients.'),
    ],
  },
  refresh_token: {
    name: 'refresh_token',
    reused: 'refresh token already used',
    clients: 'people',
    schema: 'Refresh',
    parameters: [
      required('refresh_token', 'The newest refresh token. The response contains its replacement.'),
      optional('scope', 'Fewer scopes for the new access token, separated by spaces.'),
      optional('resource', 'As in the authorization request.'),
    ],
  },
  ...featureGrants,
};

/** The grant types that a client has because of a member of its own (`ClientField`). People authorize it with them; it needs no redirect URI for that. */
export const grantsByField: readonly FieldRow[] = Object.values<FeatureRow>(featureGrants).filter(isByField);

/** The grant types of services. Without one that is on, there are no services. */
export const grantsOfServices: readonly ServiceRow[] = Object.values<FeatureRow>(featureGrants).filter(isOfServices);

type FeatureRow = GrantTypeRow & { readonly name: GrantType; readonly finding?: FeatureFinding };

type ServiceRow = FeatureRow & Required<Pick<FeatureRow, 'option' | 'finding'>>;

function isOfServices(row: FeatureRow): row is ServiceRow {
  return row.clients === 'services';
}

/** Whether a request for tokens is one of a service. */
export function isForService(grantType: string | undefined): boolean {
  return grantsOfServices.some(({ name }) => name === grantType);
}

/** The members of a client that give it a grant type. */
export type ClientField = Extract<FeatureGrantRow, { readonly clientField: string }>['clientField'];

interface FieldRow extends GrantTypeRow {
  readonly name: GrantType;
  readonly clientField: ClientField;
  readonly finding: FeatureFinding;
}

function isByField(row: FeatureRow): row is FieldRow {
  return row.clientField !== undefined;
}

/** Those that a client has. */
export function clientFieldsOf(client: { readonly [F in ClientField]?: boolean | undefined }): readonly ClientField[] {
  return grantsByField.flatMap(({ clientField }) => (client[clientField] === true ? [clientField] : []));
}

/** With which an interaction started; `undefined` if that was at the authorization endpoint. */
function startOf(interaction: object): FieldRow | undefined {
  return grantsByField.find(({ startsAt }) => startsAt && Reflect.get(interaction, startsAt.member) !== undefined);
}

/** The page at which an interaction started; `undefined` if that is the authorization endpoint. */
export function startPageOf(interaction: object): string | undefined {
  return startOf(interaction)?.startsAt?.path;
}

/** The member of the client without which the interaction could not have started; none at the authorization endpoint. */
export function startFieldsOf(interaction: object): readonly ClientField[] {
  const field = startOf(interaction)?.clientField;
  return field === undefined ? [] : [field];
}
