import { expect, test } from '@jest/globals';
import { features } from '../../lib/features/features.ts';

test('each grant type and client authentication is of one feature, which has no other key', () => {
  const names = features.flatMap(({ grantType, authentication }) =>
    [grantType?.name ?? [], authentication?.name ?? []].flat(),
  );
  expect(new Set(names).size).toBe(names.length);
  const keys = features.map(({ grantType, authentication, option }) =>
    [grantType, authentication, option].filter(Boolean),
  );
  expect(keys.filter((own) => own.length > 1)).toEqual([]);
});
