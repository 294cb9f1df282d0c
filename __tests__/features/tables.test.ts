import { expect, test } from 'vitest';
import { featureAuthentication, featureGrants } from '../../lib/features/facts.ts';
import { features } from '../../lib/features/features.ts';

test('each grant type and client authentication of a feature is the key of one feature', () => {
  const keys = features.flatMap(({ key }) => Object.values(key));
  for (const name of [...Object.keys(featureGrants), ...Object.keys(featureAuthentication)]) {
    expect(keys.filter((key) => key === name)).toEqual([name]);
  }
});
