/** How an app finds protected-resource metadata, and whether it takes it. */
export interface ResourceLookup {
  /** Where it looks for it, in order, until there is one. RFC 9728 sections 3.1 and 5.1. */
  readonly lookups: readonly ('challenge' | 'path' | 'root')[];
  /** How `resource` of the metadata is compared with the address that the person typed. */
  readonly compare: 'equal' | 'prefix' | 'none';
  /** Where they differ: it stops, or goes on without the metadata. */
  readonly mismatch: 'stop' | 'ignore';
}

/** What the code of an app does. Apps on one SDK share most of it. */
export interface ClientBehaviour extends ResourceLookup {
  /**
   * What makes it sign in: a person who presses “log in”, a 401, or protected-resource metadata. Apps that wait for
   * a 401 never sign in where `initialize` and `tools/list` are answered without a token.
   */
  readonly start: 'login' | 'unauthorized' | 'metadata';
  /** What it sends as `resource`. RFC 8707. */
  readonly resource: 'metadata' | 'metadata without slash' | 'typed' | 'none';
  /** The requests that carry `resource`, besides the authorization request. */
  readonly resourceAt: readonly ('exchange' | 'refresh')[];
  /**
   * Groups of lists: the first group that has a scope is asked for. Empty: no `scope` is sent. The lists are those of
   * the challenge, the protected-resource metadata and the authorization server.
   */
  readonly scopes: readonly (readonly ('challenge' | 'resource' | 'server')[])[];
  /** Adds `offline_access` to what it asks for. */
  readonly offlineAccess: boolean;
  /** After `invalid_scope` it tries once more without `scope`. */
  readonly retriesWithoutScope: boolean;
  /**
   * What it does after a 403 `insufficient_scope`: asks for old and new scopes, for those of the challenge only, refreshes
   * and gives up, or nothing.
   */
  readonly stepUp: 'union' | 'challenge' | 'refresh' | 'none';
  /** RFC 9207. */
  readonly checksIssuer: boolean;
  readonly scopeAtRefresh: boolean;
}

/** How an app registers. RFC 7591 section 2. */
export interface RegistrationBehaviour {
  readonly clientName: string;
  readonly redirectUris: readonly string[];
  /** The first of them that the server advertises is asked for. */
  readonly authMethods: readonly string[];
  readonly applicationType?: 'native';
  /** `asked`: the scopes that it is about to ask for. An app without it posts no `scope`. */
  readonly scope?: 'asked' | 'empty';
}

/** The products, one line each of docs/reference/client-apps.md: known apps by their id, parts of one, and SDKs. */
export const knownClients = [
  'claude',
  'claude-code',
  'chatgpt',
  'codex',
  'vs-code',
  'vs-code-insiders',
  'copilot-studio',
  'cursor',
  'cursor-cloud-agents',
  'gemini-cli',
  'mcp-remote',
  'mcp-inspector',
  'rmcp',
  'typescript-sdk-1',
  'typescript-sdk-2',
  'zed',
  'libre-chat',
] as const;

/** A client that `expectClientConnects` of `campus-oidc/testing` can replay. */
export type KnownClient = (typeof knownClients)[number];

/** How it is known what an app does. */
export type AppSource = 'read' | 'recorded';

/** A client: what it does, and who it says it is. Data that the player acts out. */
export interface SimulatedClient {
  /** The name of the product, and the variant where it has several. */
  readonly name: string;
  /** Its source code was read, or what it sends was recorded or documented. */
  readonly source: AppSource;
  readonly behaviour: ClientBehaviour;
  /** The redirect URI that it uses. The port of a loopback address is often another than the registered one. */
  readonly redirectUri: string;
  /** Its metadata document, the `client_id` where documents are advertised. */
  readonly document?: string;
  /** How it registers where it has no document, or documents are not advertised. */
  readonly registration?: RegistrationBehaviour;
  /** The origin of the web page in which it runs: it sees of a response what CORS lets it see. */
  readonly page?: string;
}

/** A client that is replayed, and the product it is of. */
export interface ReplayClient extends SimulatedClient {
  readonly product: KnownClient;
}
