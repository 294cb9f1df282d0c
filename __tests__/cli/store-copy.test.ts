import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { campusOidc } from './command.ts';
import { type TwoStores, twoStores } from './two-stores.ts';

let two: TwoStores;
beforeAll(async () => {
  two = await twoStores();
});
beforeEach(() => two.reset());
afterAll(() => two.remove());

test('a copy that stops says where to go on; a comparison does not, since what comes before that place may not be written', async () => {
  const { stores, files } = two;
  const { empty } = stores;
  const breakIt = (method: 'look' | 'put'): void => {
    const its = empty.transfer?.();
    const breaks = async (records: readonly object[]): Promise<never[]> => {
      if (records.length > 0) throw new Error('the disk is full');
      return [];
    };
    const transfer = { ...its, [method]: breaks };
    Object.assign(stores, { empty: { ...empty, transfer: () => transfer } });
  };
  breakIt('put');
  const copied = await campusOidc(['store', 'copy', files.live, files.empty, '--yes']);
  expect([copied.code, copied.err]).toEqual([2, expect.stringContaining('the disk is full')]);
  expect(copied.err).toContain('campus-oidc: stopped; go on with --after "record"\n');
  breakIt('look');
  const compared = await campusOidc(['store', 'copy', files.live, files.empty, '--verify']);
  expect([compared.code, compared.err]).toEqual([2, expect.stringContaining('the disk is full')]);
  expect(compared.err).not.toContain('--after');
});

test('the comparison of two stores, for programs', async () => {
  const { live, empty } = two.files;
  const { code, out } = await campusOidc(['store', 'copy', live, empty, '--verify', '--json']);
  expect([code, JSON.parse(out)]).toEqual([1, { same: 0, different: 3, extra: 0 }]);
});
