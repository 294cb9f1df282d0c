import { expect, test } from '@jest/globals';
import { LazySignal } from '../../lib/kernel/timeout.ts';

test('new LazySignal(source) reads the signal of the source when its own is read', () => {
  const { signal } = new AbortController();
  let reads = 0;
  const source = {
    get signal() {
      reads += 1;
      return signal;
    },
  };
  const lazy = new LazySignal(source);
  expect(reads).toBe(0);
  expect(lazy.signal).toBe(signal);
  expect(reads).toBe(1);
});

test('a copy of a LazySignal by spread has the signal', () => {
  const { signal } = new AbortController();
  // Hosts see the type of an interface.
  const call: { readonly signal: AbortSignal } = new LazySignal({ signal });
  expect({ ...call, timeout: 1 }).toEqual({ signal, timeout: 1 });
});
