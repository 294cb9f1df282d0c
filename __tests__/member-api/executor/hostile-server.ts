/** A school whose resolvers reject when nothing waits for them any more. A program, since some executors end with it. */
import { startSchools } from '../../helpers/schools.ts';
import { connect, memberApp } from '../../helpers/flow.ts';
import { fail } from './behaviours.ts';

let gate = Promise.withResolvers<void>();
/** Rejects when `released` is queried. */
const rejecting = (): Promise<never> => gate.promise.then(() => fail(new Error('rejected after its time')));
const broken = (): never => fail(new Error('broken'));

const typeDefs = `
  extend type Viewer {
    items: [Item!] grid: [[Item!]!] live: [Item!] texts: [String!] pair: Item! leaf: String
    released: Boolean! stuck: String
  }
  type Item { name: String! other: String! }
  extend type Mutation { items: [Item!] }
`;

async function* live(...items: readonly unknown[]): AsyncGenerator {
  yield* items;
}

const schools = await startSchools({
  memberApi: {
    typeDefs,
    resolvers: {
      Viewer: {
        items: () => [0, 1],
        grid: () => [[0], [1]],
        live: () => live(0, 1),
        texts: () => [new Error('an error'), rejecting()],
        pair: () => 0,
        leaf: () => [rejecting()],
        released: () => {
          gate.resolve();
          gate = Promise.withResolvers();
          return true;
        },
        stuck: async (_viewer, _args, { signal }) => {
          signal.addEventListener('abort', () => process.send?.('disconnected'));
          process.send?.('stuck');
          return await rejecting();
        },
      },
      Mutation: { items: () => [0, 1] },
      Item: { name: (item) => (item === 0 ? rejecting() : broken()), other: broken },
    },
  },
});
const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp, { scope: 'account:write' });
process.send?.({ origin: schools.harbour, token: body['access_token'] });
