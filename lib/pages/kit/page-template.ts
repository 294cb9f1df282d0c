import type { MaybePromise, Site } from '../../host/school-platform.ts';
import type { Html } from './markup.ts';

/** The names of pages of features. Each adds its own (`declare module`). */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface
export interface FeaturePages {}

/** The name of a page: `docs/guides/page-layout.md` lists them. Pages that say what went wrong or is missing are `error`. */
export type PageName =
  | 'consent'
  | 'error'
  | 'applications'
  | 'connections'
  | 'activity'
  | 'yourApps'
  | 'requests'
  | 'guide'
  | 'gallery'
  | keyof FeaturePages;

/** A page for a template. */
export interface PageView<School extends Site = Site> {
  /** The name of the page. */
  readonly page: PageName;
  /** The school that serves the page. */
  readonly site: School;
  /** Language tag for the attribute `lang` (BCP 47). */
  readonly language: string;
  /** Value of the attribute `dir`. */
  readonly direction: 'ltr' | 'rtl';
  /** Plain text. */
  readonly title: string;
  /** `<main>`, including the `<h1>`. */
  readonly content: Html;
  /** CSS in the school's colours. If used, it must be the only content of its `<style>` element. */
  readonly style: Html;
}

/**
 * Returns the whole HTML document for a page, made with `html` and starting with `<!doctype html>`, with `content` in it as it is. If it
 * throws, takes longer than 10 seconds, omits `content` or returns a string, you get a fault, and the built-in document is used.
 */
export type PageTemplate<School extends Site = Site> = (page: PageView<School>) => MaybePromise<Html>;
