import { registerHooks } from 'node:module';

/** This release; the next one, which reads new forms of records; and the one after it, which writes them. */
export type Release = 'this' | 'next' | 'later';

/** What the others have in place of `lib/records/record-forms.ts`. */
const forms = { next: './next-record-forms.ts', later: './later-record-forms.ts' } as const;

/** Modules of another release have an address of their own, so that one process can have all. */
registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    for (const release of ['next', 'later'] as const) {
      const mark = `?${release}`;
      const isOfRelease = specifier.endsWith(mark) || (context.parentURL?.endsWith(mark) && specifier.startsWith('.'));
      if (!isOfRelease) continue;
      const [path = ''] = resolved.url.split('?');
      if (path.endsWith('/lib/records/record-forms.ts'))
        return { ...resolved, url: new URL(forms[release], import.meta.url).href };
      return { ...resolved, url: resolved.url.endsWith(mark) ? resolved.url : `${resolved.url}${mark}` };
    }
    return resolved;
  },
});

/** The address of a module of the repository, as a release has it. */
export function moduleOf(release: Release, path: string): string {
  return `${new URL(`../../${path}`, import.meta.url).href}${release === 'this' ? '' : `?${release}`}`;
}
