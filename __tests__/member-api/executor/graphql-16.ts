/** Gives a program the oldest graphql that a host may bring. */
import { registerHooks } from 'node:module';

const base = new URL('../../../node_modules/graphql-16/', import.meta.url);

registerHooks({
  resolve(specifier, context, next) {
    const [, path] = /^graphql(?:\/(.*?)(?:\.m?js)?)?$/.exec(specifier) ?? [];
    if (specifier !== 'graphql' && path === undefined) return next(specifier, context);
    return { url: new URL(`${path ?? 'index'}.js`, base).href, format: 'commonjs', shortCircuit: true };
  },
});
