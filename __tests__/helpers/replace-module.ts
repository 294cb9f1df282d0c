import { registerHooks } from 'node:module';

/** From now on, an import of a file whose path ends so gets another module. */
export function replaceModule(end: string, url: URL): void {
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      return new URL(found.url).pathname.endsWith(end) ? { ...found, url: url.href } : found;
    },
  });
}
