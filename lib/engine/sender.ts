import type { Context } from 'koa';
import { type JsonMembers, parseObject } from '../kernel/json.ts';
import { field, type Form } from '../http/body.ts';
import { InvalidClient } from '../kernel/errors.ts';
import type { Offered } from '../core/offered/offered.ts';
import { illFormedAt, wellFormedDemand } from '../kernel/well-formed.ts';

/** What an assertion says of itself, before it is verified. */
interface NamedAssertion {
  readonly clientId: string | undefined;
  readonly kid: string | undefined;
}

/** @throws InvalidClient for text that no store takes */
function namedAssertion(form: Form): NamedAssertion | undefined {
  const assertion = field(form, 'client_assertion');
  if (assertion === undefined) return undefined;
  const [head = '', claims = ''] = assertion.split('.', 2);
  const decodedParts = [decoded(head), decoded(claims)] as const;
  if (illFormedAt(decodedParts)) throw new InvalidClient(`client_assertion must ${wellFormedDemand}`);
  const [{ kid }, { sub }] = decodedParts;
  return { clientId: typeof sub === 'string' ? sub : undefined, kid: typeof kid === 'string' ? kid : undefined };
}

function decoded(part: string): JsonMembers {
  return parseObject(Buffer.from(part, 'base64url').toString());
}

/** Which client a request says it comes from, and the assertion that is to prove it. */
export interface Sender {
  readonly clientId: string | undefined;
  readonly assertion: NamedAssertion | undefined;
}

export function senderOf({ hasMethod }: Offered, ctx: Context, form: Form): Sender {
  const assertion = hasMethod('private_key_jwt') ? namedAssertion(form) : undefined;
  return { clientId: basicClientId(ctx) ?? assertion?.clientId ?? field(form, 'client_id'), assertion };
}

/** The client that HTTP Basic names, as the engine reads it; `undefined` for what the engine refuses. RFC 6749 section 2.3.1. */
function basicClientId(ctx: Context): string | undefined {
  const [, encoded = ''] = /^basic +(\S+)$/i.exec(ctx.get('Authorization')) ?? [];
  const [id] = Buffer.from(encoded, 'base64').toString().split(':', 1);
  try {
    return id ? decodeURIComponent(id.replaceAll('+', '%20')) : undefined;
  } catch {
    return undefined;
  }
}
