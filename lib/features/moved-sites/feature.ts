import type { Feature } from '../feature.ts';
import { followMove } from './follow.ts';
import { redirectMoved } from './redirect.ts';

/** Schools that have moved to another origin. */
export const movedSites: Feature = { answersInstead: redirectMoved, beforeRedemption: followMove };
