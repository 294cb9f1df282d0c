import type { Feature } from '../feature.ts';
import { followMove, redirectMoved } from './moves.ts';

/** Schools that have moved to another origin. */
export const movedSites: Feature = { answersInstead: redirectMoved, beforeRedemption: followMove };
