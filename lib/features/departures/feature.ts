import type { Feature } from '../feature.ts';
import { departureMethods } from './methods.ts';

/** Schools and people that leave. */
export const departures: Feature = {
  methods: departureMethods,
};
