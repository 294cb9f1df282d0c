import type { Feature } from '../feature.ts';
import { peopleMethods } from './methods.ts';

/** The people of a school, by what they have connected. */
export const people: Feature = { methods: peopleMethods };
