/** What an SDK keeps of its sign-in, in memory, and where it wants to send the person. */
export interface OAuthMemory<Information, Tokens, Discovery> {
  readonly redirectUrl: string;
  readonly clientMetadata: { client_name: string; redirect_uris: string[]; token_endpoint_auth_method: string };
  clientInformation(): Information | undefined;
  saveClientInformation(information: Information): void;
  tokens(): Tokens | undefined;
  saveTokens(tokens: Tokens): void;
  forgetTokens(): void;
  discoveryState(): Discovery | undefined;
  saveDiscoveryState(discovery: Discovery): void;
  redirectToAuthorization(url: URL): void;
  saveCodeVerifier(verifier: string): void;
  codeVerifier(): string;
  /** The address that the person is to be sent to; it is forgotten. */
  takeAddress(): URL;
}

/** A new, empty one: a client that knows nothing. */
export function oauthMemory<Information, Tokens, Discovery = unknown>(): OAuthMemory<Information, Tokens, Discovery> {
  const kept: {
    information?: Information;
    tokens?: Tokens | undefined;
    discovery?: Discovery;
    verifier?: string;
    address?: URL | undefined;
  } = {};
  return {
    redirectUrl: 'http://127.0.0.1:51234/callback',
    clientMetadata: {
      client_name: 'SDK',
      redirect_uris: ['http://127.0.0.1:51234/callback'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept.information,
    saveClientInformation: (information) => {
      kept.information = information;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    forgetTokens: () => {
      kept.tokens = undefined;
    },
    discoveryState: () => kept.discovery,
    saveDiscoveryState: (discovery) => {
      kept.discovery = discovery;
    },
    redirectToAuthorization: (url) => {
      kept.address = url;
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? '',
    takeAddress: () => {
      const { address } = kept;
      if (!address) throw new Error('the client has not redirected to authorization');
      kept.address = undefined;
      return address;
    },
  };
}
