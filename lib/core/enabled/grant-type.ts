import type { FeatureTexts } from '../../kernel/feature-texts.ts';
import { optional, required, type RequestParameter } from '../../kernel/request-parameter.ts';
import type { GrantMembers } from './client-member.ts';
import type { FindingWhenOff } from './finding-when-off.ts';

/** A way to get tokens at the token endpoint. */
export interface GrantType {
  /** The value of `grant_type`. */
  readonly name: string;
  /** The function of `campus-oidc/grants` that switches it on. Absent: it is always on. */
  readonly option?: string;
  /** Which clients have it: those that act for a person, or services. */
  readonly clients: 'people' | 'services';
  /** The member of a client that gives it to the client, which then needs no redirect URI. A grant of people that a feature adds has one: no client gets a grant that nobody gave it. */
  readonly clientMember?: keyof GrantMembers;
  /** What is wrong with applications that need it while it is off. Every grant that a feature adds has it. */
  readonly whenOff?: FindingWhenOff;
  /** The name of its form in the API description. */
  readonly schema: string;
  /** The fields of its form, without those that authenticate the client. Specification: Token endpoint parameters. */
  readonly parameters: readonly RequestParameter[];
  /** What the guide calls it where it is off. */
  readonly calledWhenOff?: string;
  /** In place of the engine's texts, for the client's developer. */
  readonly engineTexts?: Readonly<Record<string, string>>;
  /** The engine's text for a code or token that comes a second time, and ends its family. */
  readonly reused?: string;
  /** Errors with status 400 that say that a person has not decided yet. */
  readonly waiting?: readonly string[];
  /** Where it starts, if not at the authorization endpoint. */
  readonly startsAt?: StartPlace;
  /** An app in a shell that uses such an application, if there is a short one. */
  readonly commands?: (site: { readonly origin: string }, client: ClientInShell) => string;
  /** Members of the server metadata: the paths of its endpoints. */
  readonly endpoints?: Readonly<Record<string, string>>;
}

/** Nobody is sent back from there to an address, and the consent page says so. */
export interface StartPlace {
  /** The member of an interaction that started there. */
  readonly interactionMember: string;
  /** The page. */
  readonly path: string;
  /** Where it goes on. */
  readonly place: readonly [name: keyof FeatureTexts, value: keyof FeatureTexts];
  readonly warnings: readonly (keyof FeatureTexts)[];
}

/** What an app in a shell learns of its client. */
export interface ClientInShell {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly confidential: boolean;
}

export const authorizationCode: GrantType = {
  name: 'authorization_code',
  reused: 'authorization code already consumed',
  clients: 'people',
  schema: 'CodeExchange',
  parameters: [
    required('code', 'The authorization code. It can be redeemed once.'),
    required('redirect_uri', 'The value from the authorization request.'),
    required('code_verifier', 'The verifier of the `code_challenge` that was sent to the authorization endpoint.'),
    optional('resource', 'As in the authorization request. Required for member clients.'),
  ],
};

export const refreshToken: GrantType = {
  name: 'refresh_token',
  reused: 'refresh token already used',
  clients: 'people',
  schema: 'Refresh',
  parameters: [
    required('refresh_token', 'The newest refresh token. The response contains its replacement.'),
    optional('scope', 'Fewer scopes for the new access token, separated by spaces.'),
    optional('resource', 'As in the authorization request.'),
  ],
};

/** Those that are always on. */
export const coreGrantTypes: readonly GrantType[] = [authorizationCode, refreshToken];
