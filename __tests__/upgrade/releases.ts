import { registerHooks } from 'node:module';

/** This release, and one after it with other forms of records. */
export type Release = 'this' | 'next';

const mark = '?next';
const nextForms = new URL('./next-record-forms.ts', import.meta.url).href;

/** Modules of the next release have an address of their own, so that one process can have both. They differ in one file. */
registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    const isOfNext = specifier.endsWith(mark) || (context.parentURL?.endsWith(mark) && specifier.startsWith('.'));
    if (!isOfNext) return resolved;
    if (/\/lib\/records\/record-forms\.ts/.test(resolved.url)) return { ...resolved, url: nextForms };
    return { ...resolved, url: resolved.url.endsWith(mark) ? resolved.url : `${resolved.url}${mark}` };
  },
});

/** The address of a module of the repository, as a release has it. */
export function moduleOf(release: Release, path: string): string {
  return `${new URL(`../../${path}`, import.meta.url).href}${release === 'next' ? mark : ''}`;
}
