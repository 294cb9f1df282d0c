import { expect, test } from '@jest/globals';
import { knownToClients } from '../../lib/core/enabled/enabled.ts';
import { features } from '../../lib/features/features.ts';
import { grantTypesLeft } from '../../lib/core/clients/client-grant-types.ts';

const known = knownToClients(features);
const service = { campus_audience: 'service', grant_types: ['client_credentials', 'urn:example:gone'] };

test('a service has the grants of its kind that are on, whatever there were when it was created', () => {
  expect(grantTypesLeft(known, service, () => true)).toEqual({ grant_types: ['client_credentials'] });
  expect(grantTypesLeft(known, { ...service, grant_types: [] }, () => true)).toEqual({
    grant_types: ['client_credentials'],
  });
  expect(grantTypesLeft(known, service, () => false)).toEqual({ grant_types: [] });
});

test('a client for people loses what is off, and all of it if nothing is left to start with', () => {
  const device = 'urn:ietf:params:oauth:grant-type:device_code';
  const client = { campus_audience: 'member', grant_types: ['authorization_code', device, 'refresh_token'] };
  expect(grantTypesLeft(known, client, () => false)).toEqual({ grant_types: ['authorization_code', 'refresh_token'] });
  expect(grantTypesLeft(known, { ...client, grant_types: [device, 'refresh_token'] }, () => false)).toEqual({
    grant_types: [],
  });
  expect(grantTypesLeft(known, client, () => true)).toEqual({});
});
