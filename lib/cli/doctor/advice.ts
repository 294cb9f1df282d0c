import { textOf } from '../../kernel/json.ts';
import type { Answer } from './probe.ts';

/** What an answer is, with the error that campus itself gives. */
export function answered({ status, json }: Answer): string {
  const error = textOf(json, 'error');
  return `it answers ${status}${error === undefined ? '' : ` ${error}`}`;
}

const faultFix =
  'the platform or the store fails: read the "fault" events of the campus for the cause, and run campus-oidc diagnose';
const limitFix = 'this address has sent too many requests: try again later, and see docs/reference/rate-limits.md';

/** What to do about a wrong answer. What campus itself answers is nothing that a proxy has done. */
export function adviceOn({ status, json }: Answer, otherwise: string): string {
  if (textOf(json, 'error') === undefined) return otherwise;
  if (status === 429) return limitFix;
  return status >= 500 ? faultFix : otherwise;
}

/** What to do about a document that the school does not have at this origin. */
export function documentAdvice(answer: Answer, origin: string, otherwise: string): string {
  const to = URL.parse(answer.headers.get('location') ?? '', origin);
  if (to && to.origin !== origin && /^https?:$/.test(to.protocol)) {
    return `if the school has moved to ${to.origin}, run campus-oidc doctor ${to.origin}; otherwise, ${otherwise}`;
  }
  if (answer.status === 404) {
    return `return the school of this origin from platform.findSite; if it already does, ${otherwise}`;
  }
  return adviceOn(answer, otherwise);
}
