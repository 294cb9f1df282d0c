import { optional, required, type RequestParameter } from '../../kernel/request-parameter.ts';
import type { GrantTypeRow } from '../contract.ts';

/** RFC 8628 section 3.4. */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

export const devicePaths = { authorization: '/api/oauth/device_authorization', page: '/oauth/device' } as const;

export interface DeviceGrantRow extends GrantTypeRow {
  readonly name: typeof deviceGrant;
  readonly clientField: 'device';
  readonly finding: 'devices-off';
}

/** The device authorization grant. RFC 8628. */
export const deviceGrantRow: DeviceGrantRow = {
  name: deviceGrant,
  option: 'deviceAuthorization',
  clients: 'people',
  clientField: 'device',
  finding: 'devices-off',
  schema: 'DeviceToken',
  calledWhenOff: 'the device flow',
  parameters: [
    required('device_code', 'The `device_code` of the device authorization response. It can be redeemed once.'),
    optional('resource', 'As in the device authorization request. Required for member clients.'),
  ],
  engineTexts: {
    'device code not found': 'this device code is unknown, or the connection was ended; start again',
    'device code already consumed':
      'this device code was used before, so all tokens issued for it are revoked; start again',
    [`${deviceGrant} is not allowed for this client`]:
      'this client may not be used on devices; allow it under Developers, or with device: true of a client in clients',
    'device code invalid (referenced account not found)': 'the person has lost access at this school',
  },
  reused: 'device code already consumed',
  waiting: ['authorization_pending', 'slow_down'],
  startsAt: { member: 'deviceCode', path: devicePaths.page },
  endpoints: { device_authorization_endpoint: devicePaths.authorization },
  errors: ['authorization_pending', 'expired_token'],
};

/** What `deviceAuthorization` returns. */
export interface DeviceGrant {
  readonly grantType: typeof deviceGrant;
  readonly registered: boolean;
}

/** The form of the device authorization endpoint, without the fields that authenticate the client. RFC 8628 section 3.1. */
export const deviceParameters: readonly RequestParameter[] = [
  optional('scope', 'Scopes, separated by spaces. Default: those that the metadata of `resource` lists.'),
  optional(
    'resource',
    'The origin, or the address of one of its protected resources; both mean the same (RFC 8707). Required for member clients.',
  ),
];

export const deviceRecords = {
  /** What a device asked for, and how a person decided. It has no grant before that, so the code that is redeemed is a record of its own. */
  DeviceRequest: {
    key: 'h',
    secret: true,
    people: ['accountId', 'params.id_token_hint'],
    members: { exp: 'number' },
    optional: {
      /** In the record of a user code, which has nothing else: the id of the record of its device. */
      device: 'string',
      clientId: 'string',
      params: 'object',
      deviceInfo: 'object',
      /** The person who has allowed it. */
      accountId: 'string',
      error: 'string',
      /** When it was decided. */
      at: 'number',
      /** Which request has decided: another one does not count as the same. */
      attempt: 'string',
    },
  },
  /** A device code that a person has allowed. */
  DeviceCode: {
    key: 'j',
    secret: true,
    token: 'redeemable',
    engine: true,
    people: ['accountId'],
    unread: ['iat', 'sessionUid', 'params', 'userCode', 'inFlight', 'deviceInfo'],
    members: { accountId: 'string', clientId: 'string' },
  },
} as const;

export const deviceFindings = {
  'devices-off': ['warning', 'put deviceAuthorization() of campus-oidc/grants into grants, or change the applications'],
} as const;
