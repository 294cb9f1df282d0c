import type { Feature } from '../feature.ts';
import { dpopDescription } from './describe.ts';
import { dpopEngine } from './engine-part.ts';
import { dpopOption, dpopProperty } from './options.ts';
import { dpopProofs } from './proofs.ts';

/** Access tokens that only the holder of a key can use: `docs/guides/dpop.md`. RFC 9449. */
export const dpop: Feature = {
  option: 'dpop',
  options: dpopOption,
  clientProperties: [dpopProperty],
  keyProofs: ({ dpop: option }, core) => (option ? { dpop: dpopProofs(option, core) } : {}),
  engine: ({ settings: { dpop: option }, core }) => (option ? dpopEngine(option, core) : { configuration: {} }),
  described: dpopDescription,
};
