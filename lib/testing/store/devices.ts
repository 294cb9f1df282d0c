import type { Bench } from './case.ts';
import { same } from './case.ts';
import { exchangeOf, grant, token } from './entries.ts';

/** A device: an authorization whose code was exchanged. Its family and its tokens have its name. */
export async function signIn({ store, school }: Bench, device: string, grantId = 'g'): Promise<void> {
  await store.save(school, token('AuthorizationCode', `code ${device}`, grantId, device));
  same(await store.redeem(school, exchangeOf(device, grantId)), { won: true });
}

/** A grant with a phone and a laptop. */
export async function twoDevices(bench: Bench): Promise<void> {
  await bench.store.save(bench.school, grant('g'));
  await signIn(bench, 'phone');
  await signIn(bench, 'laptop');
}

/** Which of the tokens of these devices are found. */
export async function found({ store, school }: Bench, ...names: readonly string[]): Promise<string[]> {
  const all = names.flatMap((name) => [
    store.find(school, 'AccessToken', `a ${name}`).then((access) => (access ? `a ${name}` : [])),
    store.find(school, 'RefreshToken', `r ${name}`).then((refresh) => (refresh ? `r ${name}` : [])),
  ]);
  return (await Promise.all(all)).flat();
}

/** Which of these devices have an access token that is found. */
export async function accessTokens(bench: Bench, ...names: readonly string[]): Promise<string[]> {
  const all = await found(bench, ...names);
  return names.filter((name) => all.includes(`a ${name}`));
}
