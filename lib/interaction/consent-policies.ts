import type { ConsentPolicy, ConsentRequest } from '../contracts/consent.ts';
import type { Scope } from '../protocol/scopes.ts';

export interface ConsentOutcome {
  /** What may be granted; empty when denied. */
  readonly scopes: readonly Scope[];
  readonly denied: boolean;
  /** Explanations of the policies, for the person. */
  readonly texts: readonly string[];
}

/** Applies the policies in order; each gets the scopes that the one before it left. A policy cannot add a scope. */
export async function applyConsentPolicies(
  policies: readonly ConsentPolicy[],
  request: ConsentRequest,
): Promise<ConsentOutcome> {
  let scopes = request.scopes;
  const texts: string[] = [];
  for (const policy of policies) {
    const verdict = await policy({ ...request, scopes });
    if (verdict === undefined || verdict.decision === 'allow') continue;
    if (verdict.text) texts.push(verdict.text);
    if (verdict.decision === 'deny') return { scopes: [], denied: true, texts };
    const left = new Set(verdict.scopes);
    scopes = scopes.filter((scope) => left.has(scope));
  }
  return { scopes, denied: scopes.length === 0 && request.scopes.length > 0, texts };
}
