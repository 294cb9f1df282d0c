import type { BeforeRedemption } from '../engine/routes.ts';
import type { AnswerInstead } from '../http/router.ts';
import { followMove } from './moved-sites/follow.ts';
import { redirectMoved } from './moved-sites/redirect.ts';

/** What features answer in place of a route. */
export const answersInstead: readonly AnswerInstead[] = [redirectMoved];

/** What features do before the tokens of a grant are issued. */
export const beforeRedemption: readonly BeforeRedemption[] = [followMove];
