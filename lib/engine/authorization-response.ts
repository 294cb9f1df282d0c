import { responseParameters, withParameters } from '../core/clients/redirect-uri.ts';
import type { ScopeCatalogue } from '../core/scopes/scopes.ts';
import { errorDescription } from '../kernel/errors.ts';
import type { EngineContext } from './engine.ts';
import { redirectText } from './engine-errors.ts';

/** What goes back to a client through the browser. RFC 6749 section 4.1.2. */
export class AuthorizationResponse {
  readonly #redirectUri: string;
  readonly parameters: URLSearchParams;

  private constructor(redirectUri: string, parameters: URLSearchParams) {
    this.#redirectUri = redirectUri;
    this.parameters = parameters;
  }

  /** That of the engine, with clearer texts; `undefined` while the person has something to do, and for what is shown as a page. */
  static of({ oidc, response }: EngineContext, catalogue: ScopeCatalogue): AuthorizationResponse | undefined {
    const sent = URL.parse(response.get('Location'))?.searchParams;
    const redirectUri: unknown = oidc?.params?.['redirect_uri'];
    if (!sent || typeof redirectUri !== 'string' || !(sent.has('code') || sent.has('error'))) return undefined;
    // Its other parameters are those of the redirect URI, which the engine has changed.
    const parameters = new URLSearchParams([...sent].filter(([name]) => responseParameters.has(name)));
    const text = sent.has('error') ? redirectText(sent, catalogue) : undefined;
    if (text !== undefined) parameters.set('error_description', errorDescription(text));
    return new AuthorizationResponse(redirectUri, parameters);
  }

  get address(): string {
    return withParameters(this.#redirectUri, this.parameters);
  }
}
