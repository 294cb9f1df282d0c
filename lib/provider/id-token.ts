import type { IdToken, Provider } from 'oidc-provider';

/**
 * Signs ID tokens at the code exchange only, and only while a key signs. Specification: Tokens 3; the engine would sign
 * one at every refresh, too.
 */
export function limitIdTokens(provider: Provider, signs: boolean): void {
  const { prototype } = provider.IdToken;
  const issue: IdToken['issue'] = Reflect.get(prototype, 'issue');
  Object.defineProperty(prototype, 'issue', {
    value: async function (this: IdToken, use: Parameters<IdToken['issue']>[0]) {
      const wanted = signs && this.ctx.oidc.params?.['grant_type'] === 'authorization_code';
      return wanted ? issue.call(this, use) : undefined;
    },
  });
}
