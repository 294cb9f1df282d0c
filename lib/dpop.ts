export { InvalidDpopProof, UseDpopNonce } from './core/bearer/key-proof.ts';
export { type Dpop, dpop, type DpopOptions } from './features/dpop/options.ts';
