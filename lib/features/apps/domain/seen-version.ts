import type { ListedApp } from '../../../core/apps/apps.ts';
import type { AppReview } from '../../../core/access/app-review.ts';

/** What an administrator saw of an app, in one text: what was decided on it, and which version of it was to be reviewed. */
export interface SeenVersion {
  /** The version of the rules that apply. */
  readonly decision: string;
  /** The digest of the version of a client. */
  readonly digest?: string | undefined;
  /** The digest of its logo. */
  readonly logo?: string | undefined;
}

/** No digest has it. */
const separator = '.';

function versionOfSeen({ decision, digest, logo }: SeenVersion): string {
  return [decision, digest, digest === undefined ? undefined : logo]
    .filter((part) => part !== undefined)
    .join(separator);
}

export function seenIn(version: string): SeenVersion {
  const [decision = '', digest, logo] = version.split(separator);
  return { decision, digest, logo };
}

/** What was seen of the rules alone. */
export function decisionIn(version: string | undefined): string | undefined {
  return version === undefined ? undefined : seenIn(version).decision;
}

/** With what the school reviews of it: an administrator who looks at this decides on both. */
export function withReview(listed: ListedApp, review: AppReview): ListedApp {
  const { digest, logo } = review;
  return { ...listed, review, version: versionOfSeen({ decision: listed.version, digest, logo: logo?.digest }) };
}
