import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { AdapterPayload } from 'oidc-provider';
import { decodeRecord, encodeRecord, storedId } from '../../lib/records/codec.ts';
import { allScopes } from '../../lib/protocol/scopes.ts';

const origin = 'https://harbour.example';
const grantId = 'iL81d6w45Bv1qNiW7miJv7';

const accessToken: AdapterPayload = {
  accountId: 'sam',
  clientId: 'app',
  grantId,
  scope: 'openid profile account:read',
  aud: origin,
  iat: 1795197883,
  exp: 1795205083,
  gty: 'authorization_code',
  extra: { client_audience: 'member' },
};
const refreshToken: AdapterPayload = {
  accountId: 'sam',
  clientId: 'app',
  grantId,
  scope: 'openid profile account:read',
  resource: origin,
  iat: 1795197883,
  exp: 1797789883,
  gty: 'authorization_code refresh_token',
};
const grant: AdapterPayload = {
  accountId: 'sam',
  clientId: 'app',
  iat: 1795197883,
  exp: 1810749883,
  openid: { scope: 'openid courses:read' },
  resources: { [origin]: 'openid courses:read' },
  rejected: { openid: { scope: 'courses:write' }, resources: { [origin]: 'courses:write' } },
};
type Kind = 'AccessToken' | 'RefreshToken' | 'Grant';
const rows: [Kind, AdapterPayload][] = [
  ['AccessToken', accessToken],
  ['RefreshToken', refreshToken],
  ['Grant', grant],
];

function roundTrip(kind: Kind, payload: AdapterPayload, at = origin): AdapterPayload {
  return decodeRecord(kind, 'the-id', encodeRecord(kind, { ...payload, jti: 'the-id', kind }, origin), at);
}

describe('a record', () => {
  test.each(rows)('of an ordinary %s is short, and the same when it comes back', (kind, payload) => {
    const record = encodeRecord(kind, { ...payload, jti: 'the-id', kind }, origin);
    expect(record.length).toBeLessThan(90);
    expect(record).not.toContain('the-id');
    expect(roundTrip(kind, payload)).toEqual({ ...payload, jti: 'the-id', kind });
  });

  test.each(rows)('of a %s keeps whatever else is in it', (kind, payload) => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string()), fc.object());
    const scope = fc.oneof(
      fc.shuffledSubarray([...allScopes]).map((scopes) => scopes.join(' ')),
      fc.string(),
    );
    const changes = fc.record(
      {
        accountId: fc.string(),
        clientId: fc.string(),
        scope,
        aud: fc.oneof(fc.string(), fc.constant(origin), fc.array(fc.string())),
        resource: fc.oneof(fc.string(), fc.constant(origin), fc.array(fc.string())),
        iat: fc.integer(),
        exp: fc.integer(),
        gty: fc.string(),
        sid: fc.string(),
        claims: fc.object(),
        extra: fc.dictionary(
          fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
          value,
        ),
        openid: fc.record({ scope }),
        resources: fc.record({ [origin]: scope, 'https://other.example': scope }, { requiredKeys: [] }),
        rejected: fc.oneof(fc.constant({}), fc.record({ openid: fc.record({ scope }) })),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(changes, (changed) => {
        const whole = JSON.parse(JSON.stringify({ ...payload, ...changed }));
        expect(roundTrip(kind, whole)).toEqual({ ...whole, jti: 'the-id', kind });
      }),
    );
  });

  test.each(rows)('of a %s without any member is one all the same', (kind, payload) => {
    expect(roundTrip(kind, {})).toEqual({ jti: 'the-id', kind });
    for (const name of Object.keys(payload)) {
      const { [name]: _left, ...rest } = payload;
      expect(roundTrip(kind, rest)).toEqual({ ...rest, jti: 'the-id', kind });
    }
  });

  test('of a refresh token has nothing that only ID tokens at a refresh would need', () => {
    const more = {
      ...refreshToken,
      nonce: 'n',
      acr: 'a',
      amr: ['pwd'],
      authTime: 1,
      iiat: 1,
      rotations: 7,
      sessionUid: 's',
    };
    expect(roundTrip('RefreshToken', more)).toEqual({ ...refreshToken, jti: 'the-id', kind: 'RefreshToken' });
  });

  test('that was written for another origin is not of this one', () => {
    const here = 'https://moved.example';
    expect(roundTrip('AccessToken', accessToken, here).aud).not.toBe(here);
    expect(roundTrip('RefreshToken', refreshToken, here).resource).not.toBe(here);
    expect(roundTrip('Grant', grant, here)['resources']).not.toHaveProperty([here]);
  });

  test('names scopes by their place in the catalogue, which is therefore frozen: new ones go to the end', () => {
    const places = allScopes.map((scope) => {
      const [, , , packed]: unknown[] = JSON.parse(encodeRecord('AccessToken', { ...accessToken, scope }, origin));
      return packed;
    });
    expect(places.join('')).toBe('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijkl');
    expect(allScopes.join(' ')).toBe(
      'openid profile email courses:read courses:write students:read students:write members:read members:write ' +
        'analytics:read curriculum:read curriculum:write orders:read school:read school:write appearance:read ' +
        'appearance:write events:read events:write membership_plans:read membership_plans:write coupons:read ' +
        'coupons:write posts:read posts:write subscriptions:read subscriptions:write digital_products:read ' +
        'digital_products:write comments:read lecturers:read lecturers:write storage:write forms:read pages:read ' +
        'pages:write account:read account:write',
    );
  });
});

test('a grant answers to its stored name as to its id', () => {
  const id = 'iL81d6w45Bv1qNiW7miJv7X0nmO6ESjc4YR0lc2mwff';
  expect(storedId('Grant', id)).toBe(grantId);
  expect(storedId('Grant', grantId)).toBe(grantId);
  expect(roundTrip('AccessToken', { ...accessToken, grantId: id }).grantId).toBe(grantId);
});
