import { expect, test } from 'vitest';
import { grantTypesLeft } from '../../lib/core/clients/client-grant-types.ts';

const service = { campus_audience: 'service', grant_types: ['client_credentials', 'urn:example:gone'] };

test('a service has the grants of its kind that are on, whatever there were when it was created', () => {
  expect(grantTypesLeft(service, () => true)).toEqual({ grant_types: ['client_credentials'] });
  expect(grantTypesLeft({ ...service, grant_types: [] }, () => true)).toEqual({ grant_types: ['client_credentials'] });
  expect(grantTypesLeft(service, () => false)).toEqual({ grant_types: [] });
});

test('a client for people loses what is off, and all of it if nothing is left to start with', () => {
  const device = 'urn:ietf:params:oauth:grant-type:device_code';
  const client = { campus_audience: 'member', grant_types: ['authorization_code', device, 'refresh_token'] };
  expect(grantTypesLeft(client, () => false)).toEqual({ grant_types: ['authorization_code', 'refresh_token'] });
  expect(grantTypesLeft({ ...client, grant_types: [device, 'refresh_token'] }, () => false)).toEqual({
    grant_types: [],
  });
  expect(grantTypesLeft(client, () => true)).toEqual({});
});
