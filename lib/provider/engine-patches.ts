import { type IdToken, Provider } from 'oidc-provider';
import { secretMatches } from '../clients/metadata.ts';
import { type CheckedKeys, siteSecret } from '../protocol/keys.ts';

/**
 * Changes to the engine where it has no option. Each names the test that fails when an upgrade of the engine makes it
 * ineffective. They are made on first use: what a site never uses costs nothing.
 */
export function patchEngine(provider: Provider, siteId: string, keys: CheckedKeys): void {
  // The store holds digests of client secrets; the engine compares plain texts. Test: `__tests__/oauth/token-refresh.test.ts`.
  replaceMember(provider, 'Client', () => {
    const Client: Provider['Client'] = Reflect.get(Provider.prototype, 'Client', provider);
    Client.prototype.compareClientSecret = function (this: { clientSecret?: string | undefined }, secret) {
      return secretMatches(this.clientSecret, secret);
    };
    return Client;
  });

  // The engine issues an ID token at every refresh too, and insists on a key. Here one is issued at the code exchange only,
  // and only while a key signs. Specification: Tokens 3. Test: `__tests__/oauth/id-token.test.ts`.
  replaceMember(provider, 'IdToken', () => {
    const Model: Provider['IdToken'] = Reflect.get(Provider.prototype, 'IdToken', provider);
    const issue: IdToken['issue'] = Reflect.get(Model.prototype, 'issue');
    Object.defineProperty(Model.prototype, 'issue', {
      value: async function (this: IdToken, use: Parameters<IdToken['issue']>[0]) {
        const wanted = keys.signing.length > 0 && this.ctx.oidc.params?.['grant_type'] === 'authorization_code';
        return wanted ? issue.call(this, use) : undefined;
      },
    });
    return Model;
  });

  // Only browsers have cookies. Test: `__tests__/oauth/cross-school.test.ts`.
  replaceMember(provider, 'keys', () => keys.cookies.map((secret) => siteSecret(secret, siteId, 'cookies')));
}

function replaceMember<K extends keyof Provider>(provider: Provider, name: K, make: () => Provider[K]): void {
  Object.defineProperty(provider, name, {
    configurable: true,
    get: () => {
      const value = make();
      Object.defineProperty(provider, name, { value });
      return value;
    },
  });
}
