import type { IdToken, Provider } from 'oidc-provider';
import { secretMatches } from '../clients/metadata.ts';

/**
 * Changes to classes of the engine where it has no option. Each names the test that fails when an upgrade of the engine
 * makes it ineffective.
 */
export function patchEngine(provider: Provider, signsIdTokens: boolean): void {
  // The store holds digests of client secrets; the engine compares plain texts. Test: `__tests__/oauth/token-refresh.test.ts`.
  provider.Client.prototype.compareClientSecret = function (this: { clientSecret?: string | undefined }, secret) {
    return secretMatches(this.clientSecret, secret);
  };

  // The engine issues an ID token at every refresh too, and insists on a key. Here one is issued at the code exchange only,
  // and only while a key signs. Specification: Tokens 3. Test: `__tests__/oauth/id-token.test.ts`.
  const { prototype } = provider.IdToken;
  const issue: IdToken['issue'] = Reflect.get(prototype, 'issue');
  Object.defineProperty(prototype, 'issue', {
    value: async function (this: IdToken, use: Parameters<IdToken['issue']>[0]) {
      const wanted = signsIdTokens && this.ctx.oidc.params?.['grant_type'] === 'authorization_code';
      return wanted ? issue.call(this, use) : undefined;
    },
  });
}
