import { optional, required, type RequestParameter } from '../../kernel/request-parameter.ts';
import type { GrantType } from '../../core/enabled/grant-type.ts';
import { deviceCommands } from './commands.ts';
import { deviceGrant, devicePaths } from './names.ts';

/** The device authorization grant. RFC 8628. */
export const deviceGrantType: GrantType = {
  name: deviceGrant,
  option: 'deviceAuthorization',
  clients: 'people',
  clientMember: 'device',
  whenOff: {
    /** A school has applications that people connect on another device, but `grants` lacks `deviceAuthorization()`. */
    id: 'devices-off',
    fix: 'add deviceAuthorization() of campus-oidc/grants to grants, or change the applications',
  },
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
  startsAt: {
    interactionMember: 'deviceCode',
    path: devicePaths.page,
    place: ['consent.device', 'consent.device.own'],
    warnings: ['device.warn', 'device.warn.sent'],
  },
  commands: deviceCommands,
  endpoints: { device_authorization_endpoint: devicePaths.authorization },
};

/** The form of the device authorization endpoint, without the fields that authenticate the client. RFC 8628 section 3.1. */
export const deviceParameters: readonly RequestParameter[] = [
  optional('scope', 'Scopes, separated by spaces. Default: those that the metadata of `resource` lists.'),
  optional(
    'resource',
    'The origin, or the address of one of its protected resources; both mean the same (RFC 8707). Required for member clients.',
  ),
];
