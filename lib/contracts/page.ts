import type { Site } from './member.ts';

/** A page of ours, for a template around it. */
export interface PageView {
  readonly site: Site;
  /** A language tag, for `lang`. BCP 47. */
  readonly language: string;
  /** For `dir`. */
  readonly direction: 'ltr' | 'rtl';
  /** Text: escape it. */
  readonly title: string;
  /** HTML for inside `<main>`, with the `<h1>`. Markup that is safe as it is. */
  readonly content: string;
  /** Our style sheet, in the site's colours. Nothing else may stand in its `<style>`; leave it out to use your own. */
  readonly style: string;
}

/** Draws the document around a page: the whole HTML, from `<!doctype html>`. */
export type PageTemplate = (page: PageView) => string;
