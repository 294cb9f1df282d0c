import type { StaticClient } from '../contracts/client.ts';
import { deviceGrant, type GrantType } from '../protocol/grant-types.ts';
import type { Members } from '../records/codec.ts';

type Granted = Pick<StaticClient, 'audience' | 'redirectUris' | 'device'>;

/** Those that a client has. */
export function grantTypesOf({ audience, redirectUris, device }: Granted): readonly GrantType[] {
  if (audience === 'service') return ['client_credentials'];
  const ways: readonly GrantType[] = [
    ...(redirectUris.length > 0 ? (['authorization_code'] as const) : []),
    ...(device === true ? ([deviceGrant] as const) : []),
  ];
  return ways.length > 0 ? [...ways, 'refresh_token'] : [];
}

/** Whether a person can authorize it on another device. */
export function mayUseDevices({ grant_types: granted }: Members): boolean {
  return Array.isArray(granted) && granted.includes(deviceGrant);
}

export function withoutDevices({ grant_types: granted }: Members): readonly unknown[] {
  const others = Array.isArray(granted) ? granted.filter((name) => name !== deviceGrant) : [];
  return others.includes('authorization_code') ? others : [];
}
