import type { ConsentPolicy, ConsentRequest } from '../contracts/consent.ts';
import type { Scope } from '../protocol/scopes.ts';

/** What the policies together say. */
export interface ConsentOutcome {
  /** What may be granted; empty when denied. */
  readonly scopes: readonly Scope[];
  readonly denied: boolean;
  /** What the policies want the person to read. */
  readonly texts: readonly string[];
}

/** Asks the policies in order: each sees what the one before left. A policy can take away, never add. */
export async function applyConsentPolicies(
  policies: readonly ConsentPolicy[],
  request: ConsentRequest,
): Promise<ConsentOutcome> {
  let scopes = request.scopes;
  const texts: string[] = [];
  for (const policy of policies) {
    const verdict = await policy({ ...request, scopes });
    if (verdict === undefined || verdict.decision === 'allow') continue;
    if (verdict.text !== undefined) texts.push(verdict.text);
    if (verdict.decision === 'deny') return { scopes: [], denied: true, texts };
    const kept = new Set(verdict.scopes);
    scopes = scopes.filter((scope) => kept.has(scope));
  }
  return { scopes, denied: scopes.length === 0 && request.scopes.length > 0, texts };
}
