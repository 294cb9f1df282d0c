import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { campusOidc } from './command.ts';
import { type TwoStores, twoStores } from './two-stores.ts';

let two: TwoStores;
beforeAll(async () => {
  two = await twoStores();
});
beforeEach(() => two.reset());
afterAll(() => two.remove());

const noLog = 'no events of a log to compare; a log that storedLog({ store }) keeps in another store stays there';

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
  expect(copied.code).toBe(2);
  expect(copied.err.split('\n').slice(2)).toEqual([
    'campus-oidc: stopped; continue with --after "record"',
    'campus-oidc: the store failed: the disk is full',
    '',
  ]);
  breakIt('look');
  const compared = await campusOidc(['store', 'copy', files.live, files.empty, '--verify']);
  expect([compared.code, compared.err]).toEqual([2, expect.stringContaining('the disk is full')]);
  expect(compared.err).not.toContain('--after');
});

test('copying an empty store over a full one, as with arguments in the wrong order, is refused even with --yes', async () => {
  const { live, empty } = two.files;
  expect(await campusOidc(['store', 'copy', empty, live, '--yes'])).toEqual({
    code: 2,
    out: '',
    err: `${noLog}
${live}: 0 records to write, 3 to remove, 0 unchanged
campus-oidc: more would be removed than written: are the two modules in the wrong order? If they are not, add --remove
`,
  });
  expect(await two.count()).toBe(3);
});

test('with --remove it is done', async () => {
  const { live, empty } = two.files;
  expect(await campusOidc(['store', 'copy', empty, live, '--yes', '--remove'])).toEqual({
    code: 0,
    out: 'ok   0 records written, 3 removed, 0 unchanged\n',
    err: `${noLog}
${live}: 0 records to write, 3 to remove, 0 unchanged\n`,
  });
  expect(await two.count()).toBe(0);
});

test('the comparison of two stores, for apps', async () => {
  const { live, empty } = two.files;
  const { code, out } = await campusOidc(['store', 'copy', live, empty, '--verify', '--json']);
  expect([code, JSON.parse(out)]).toEqual([
    1,
    { same: 0, different: 3, extra: 0, sameEvents: 0, differentEvents: 0, extraEvents: 0 },
  ]);
});
