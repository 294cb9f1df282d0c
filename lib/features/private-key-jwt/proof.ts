import { type JsonMembers, parseObject } from '../../kernel/json.ts';
import { field, type Form } from '../../http/body.ts';
import { keysOf } from '../../core/clients/client-keys.ts';
import type { Clients } from '../../core/clients/client-manager.ts';
import { usesKey } from '../../core/clients/client-metadata.ts';
import { namedKey, type PublicJwk } from '../../core/keys/public-keys.ts';
import type { ClientProof, ProofMethod } from '../../engine/engine-feature.ts';
import type { Site } from '../../host/school-platform.ts';
import { InvalidClient } from '../../kernel/errors.ts';
import { type EndTurn, Turns } from '../../kernel/turns.ts';
import { illFormedAt, wellFormedDemand } from '../../kernel/well-formed.ts';
import type { ClientMetadata } from '../../records/codec.ts';
import type { AssertionLimiter } from './assertion-limiter.ts';
import { isForAnother } from './engine-texts.ts';

/** The client and the key that an assertion names; nothing is verified yet. @throws InvalidClient for text that no store takes */
function namedAssertion(form: Form): ClientProof | undefined {
  const assertion = field(form, 'client_assertion');
  if (assertion === undefined) return undefined;
  const [head = '', claims = ''] = assertion.split('.', 2);
  const decodedParts = [decoded(head), decoded(claims)] as const;
  if (illFormedAt(decodedParts)) throw new InvalidClient(`client_assertion must ${wellFormedDemand}`);
  const [{ kid }, { sub, aud: audience }] = decodedParts;
  const [clientId, key] = [sub, kid].map((value) => (typeof value === 'string' ? value : undefined));
  return { clientId, kid: key, audience };
}

function decoded(part: string): JsonMembers {
  return parseObject(Buffer.from(part, 'base64url').toString());
}

/**
 * Assertions that are verified at a time. A flood of them waits for its turns; a request without one does not wait behind the flood, and one
 * at another school is next but one. A turn begins when the keys are known and ends with the verification, so that it waits for no key set,
 * store or platform.
 */
const verifiedAtOnce = 8;

/** Proof by an assertion that the client has signed with its private key. RFC 7523 section 2.2. */
export function assertionProof({ keysAt }: Clients, limiter: AssertionLimiter): ProofMethod {
  const turns = new Turns({ atOnce: verifiedAtOnce });
  const taken = new WeakMap<ClientProof, Promise<EndTurn>>();

  async function turnOf(site: Site, proof: ClientProof): Promise<void> {
    const turn = turns.take(site.id);
    taken.set(proof, turn);
    await turn;
  }

  async function keys(site: Site, client: ClientMetadata, kid: string | undefined): Promise<readonly PublicJwk[]> {
    const { jwks, jwks_uri: address } = keysOf(client);
    if (address === undefined) return jwks?.keys ?? [];
    const { client_id: clientId, campus_source: source } = client;
    return keysAt({ siteId: site.id, clientId, address, kid, used: source !== 'document' });
  }

  return {
    read: namedAssertion,
    check: (ctx, site, { clientId = '' }) => limiter.check(ctx, site, clientId),
    countFailure: (ctx, site, { clientId = '' }) => limiter.countFailure(ctx, site, clientId),
    isForAnother,
    finished(proof) {
      const turn = taken.get(proof);
      taken.delete(proof);
      void turn?.then((end) => end());
    },
    // The engine would try all keys that fit, and fetch those at an address itself.
    async verifiable(ctx, site, client, proof) {
      if (!usesKey(client)) return client;
      const isOwn = proof?.clientId === client.client_id;
      const key = isOwn ? namedKey(await keys(site, client, proof.kid), proof.kid) : undefined;
      if (key && proof) {
        await turnOf(site, proof);
        // Those before it may have failed while it waited.
        limiter.check(ctx, site, client.client_id);
      }
      return { ...client, jwks_uri: undefined, jwks: { keys: key ? [key] : [] } };
    },
  };
}
