import type { Feature } from '../feature.ts';
import { peopleMethods } from './methods.ts';
import { peopleRoutes } from './routes.ts';
import { peopleTexts } from './texts.ts';

/** The people of a school, by what they have connected. */
export const people: Feature = { texts: peopleTexts, routes: peopleRoutes, methods: peopleMethods };
