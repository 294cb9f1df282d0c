import type { PermissionOutcome } from '../core/access/permission.ts';
import type { Explanation, ExplainQuestion } from '../core/access/explain.ts';
import type { Site } from '../host/school-platform.ts';
import type { Campus } from '../public/campus.ts';

/** A question about a person and a client or app at a school or its origin, with the expected outcome. */
export type ExpectedPermission = ExplainQuestion & {
  readonly site: Site | string;
  readonly outcome: PermissionOutcome;
};

/**
 * Asks `campus.explain`, and returns the explanation, so that a test can check the scopes and reasons.
 *
 * @throws Error with every reason, if the outcome differs
 */
export async function expectPermission(
  campus: Pick<Campus, 'explain'>,
  { site, outcome, ...question }: ExpectedPermission,
): Promise<Explanation> {
  const explained = await campus.explain(site, question);
  if (explained.outcome === outcome) return explained;
  const reasons = explained.reasons.map(({ code, from, text, change }) => `\n  ${code} (${from}): ${text}; ${change}`);
  throw new Error(`the permission is ${explained.outcome}, not ${outcome}${reasons.join('')}`);
}
