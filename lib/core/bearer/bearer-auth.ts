import type { AcceptedTokens, ClientAudience, PersonAudience, TokenOf } from '../clients/client.ts';
import type { Member, Site } from '../../host/school-platform.ts';
import type { ResponseHeaders } from '../../http/plain-response.ts';
import type { KeyProofs, ProvenCall } from './key-proof.ts';

/** An access token that was verified. */
export interface KnownToken<School extends Site = Site, Person extends Member = Member> {
  readonly token: TokenOf<ClientAudience, School, Person>;
  /** The pseudonym by which its client knows the person. @default the id of the member */
  readonly pseudonym?: string | undefined;
  /** Headers for the response. */
  readonly headers: ResponseHeaders;
}

/** Verifies an access token of any client. Without a proof, a token that is bound to a key is refused. */
export type VerifyToken<School extends Site = Site, Person extends Member = Member> = (
  site: Site,
  token: string,
  call?: ProvenCall,
) => Promise<KnownToken<School, Person>>;

/** With what an endpoint verifies the access tokens of requests, and refuses them. */
export interface BearerAuth<School extends Site = Site, Person extends Member = Member> extends KeyProofs {
  /** @throws InsufficientScope also for the token of a client that knows the person by a pseudonym: it must not learn more */
  readonly verify: VerifyToken<School, Person>;
}

/**
 * Verifies an access token at a school, or at its origin: one store look-up and one call of the platform; for that of a service, several look-ups.
 * A token that is bound to a key needs `proof`, `method` and `address`.
 * @throws InvalidToken when the token is not valid at this school, InsufficientScope for a client of another audience,
 * TemporarilyUnavailable when that cannot be determined
 */
export type VerifyAccess<School extends Site = Site, Person extends Member = Member> = <
  A extends ClientAudience = PersonAudience,
>(
  site: Site | string,
  token: string,
  accepted?: AcceptedTokens<A> & (ProvenCall | NoProof),
) => Promise<TokenOf<A, School, Person>>;

/** A call with a bearer token. */
export type NoProof = { readonly [member in keyof ProvenCall]?: undefined };
