import { registerHooks } from 'node:module';

/** This release; one after it with other forms of records; one before it, which does not know lines of refresh tokens. */
export type Release = 'this' | 'next' | 'before';

/** Where a release differs: the end of the address of a module, and what it has in its place. */
const differences: Readonly<Record<Exclude<Release, 'this'>, readonly (readonly [end: string, file: string])[]>> = {
  next: [['/lib/records/record-forms.ts', './next-record-forms.ts']],
  before: [
    ['/lib/records/record-forms.ts', './earlier-record-forms.ts'],
    ['/lib/records/line-tokens.ts', './earlier-line-tokens.ts'],
  ],
};

/** Modules of another release have an address of their own, so that one process can have both. */
registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    for (const release of ['next', 'before'] as const) {
      const mark = `?${release}`;
      const isOfRelease = specifier.endsWith(mark) || (context.parentURL?.endsWith(mark) && specifier.startsWith('.'));
      if (!isOfRelease) continue;
      const [path = ''] = resolved.url.split('?');
      const other = differences[release].find(([end]) => path.endsWith(end));
      if (other) return { ...resolved, url: new URL(other[1], import.meta.url).href };
      return { ...resolved, url: resolved.url.endsWith(mark) ? resolved.url : `${resolved.url}${mark}` };
    }
    return resolved;
  },
});

/** The address of a module of the repository, as a release has it. */
export function moduleOf(release: Release, path: string): string {
  return `${new URL(`../../${path}`, import.meta.url).href}${release === 'this' ? '' : `?${release}`}`;
}
