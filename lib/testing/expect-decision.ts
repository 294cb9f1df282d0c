import type { DecisionOutcome } from '../core/access/permission.ts';
import type { Explanation, ExplainQuestion } from '../core/access/explain.ts';
import type { Site } from '../host/school-platform.ts';
import type { Campus } from '../public/campus.ts';

/** The person, the client or app, the school or its origin, and what is expected. */
export type ExpectedDecision = ExplainQuestion & {
  readonly site: Site | string;
  readonly outcome: DecisionOutcome;
};

/**
 * Asks `campus.explain`, and returns what it says, for a test to look at the scopes and reasons.
 *
 * @throws Error with every reason, if the decision is another one
 */
export async function expectDecision(
  campus: Pick<Campus, 'explain'>,
  { site, outcome, ...question }: ExpectedDecision,
): Promise<Explanation> {
  const explained = await campus.explain(site, question);
  if (explained.outcome === outcome) return explained;
  const reasons = explained.reasons.map(({ code, from, text, change }) => `\n  ${code} (${from}): ${text}; ${change}`);
  throw new Error(`the decision is ${explained.outcome}, not ${outcome}${reasons.join('')}`);
}
