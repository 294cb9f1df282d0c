import { describe, expect, test } from '@jest/globals';
import { InvalidClientMetadata, InvalidRedirectUri } from '../../../lib/kernel/errors.ts';
import { readMetadata, registrationSchema } from '../../../lib/features/registration/schema.ts';

describe('readMetadata', () => {
  test('returns the known members and drops the others', () => {
    const known = { client_name: 'Tool', redirect_uris: ['http://127.0.0.1/'], scope: 'openid' };
    expect(readMetadata({ ...known, client_secret: 'x', software_id: 5 })).toEqual(known);
    expect(readMetadata({})).toEqual({});
  });

  test.each<[string, unknown]>([
    ['the body must be an object', []],
    ['the body must be an object', null],
    ['the body must be an object', '{}'],
    ['client_name must be a string', { client_name: 5 }],
    ['client_name must be a string', { client_name: {} }],
    ['scope must be a string', { scope: false }],
    ['scope must have at most 2000 characters', { scope: 'x'.repeat(2001) }],
    ['grant_types must be an array', { grant_types: 'authorization_code' }],
    ['grant_types must have at most 50 items', { grant_types: Array.from({ length: 51 }, () => 'x') }],
    ['response_types[1] must be a string', { response_types: ['code', {}] }],
  ])('invalid_client_metadata: %s', (message, body) => {
    expect(() => readMetadata(body)).toThrow(InvalidClientMetadata);
    expect(() => readMetadata(body)).toThrow(message);
  });

  test.each<[string, unknown]>([
    ['redirect_uris must be an array', 'http://127.0.0.1/'],
    ['redirect_uris must be an array', null],
    ['redirect_uris must be an array', ''],
    ['redirect_uris[1] must be a string', ['http://127.0.0.1/', 5]],
    ['redirect_uris[0] must have at most 2000 characters', ['x'.repeat(2001)]],
  ])('invalid_redirect_uri: %s', (message, redirect_uris) => {
    expect(() => readMetadata({ redirect_uris })).toThrow(InvalidRedirectUri);
    expect(() => readMetadata({ redirect_uris })).toThrow(message);
  });
});

test('the JSON Schema for the API description has the same limits', () => {
  expect(registrationSchema).toMatchObject({
    type: 'object',
    properties: {
      client_name: { type: 'string', maxLength: 2000 },
      redirect_uris: { type: 'array', maxItems: 50, items: { type: 'string', maxLength: 2000 } },
    },
  });
});
