import type { Context } from 'koa';
import { sentAuthorization } from '../http/authorization.ts';
import { field, type Form } from '../http/body.ts';
import type { ClientProof, ProofMethod } from './engine-feature.ts';

/** Which client a request says it comes from, and what is to prove it. */
export interface Sender {
  readonly clientId: string | undefined;
  readonly proof: (ClientProof & { readonly method: ProofMethod }) | undefined;
}

/** @throws InvalidClient for a proof that no store takes */
export function senderOf(methods: readonly ProofMethod[], ctx: Context, form: Form): Sender {
  const [proof] = methods.flatMap((method) => {
    const said = method.read(form);
    return said ? [{ ...said, method }] : [];
  });
  return { clientId: basicClientId(ctx) ?? proof?.clientId ?? field(form, 'client_id'), proof };
}

/** The client that HTTP Basic names, as the engine reads it; `undefined` for what the engine refuses. RFC 6749 section 2.3.1. */
export function basicClientId(ctx: Context): string | undefined {
  const [, encoded] = /^basic (\S+)$/i.exec(sentAuthorization(ctx) ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const [id] = Buffer.from(encoded, 'base64').toString().split(':', 1);
  try {
    return id ? decodeURIComponent(id.replaceAll('+', '%20')) : undefined;
  } catch {
    return undefined;
  }
}
