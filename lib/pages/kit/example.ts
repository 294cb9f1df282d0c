import { html, type Html, type Translator } from './markup.ts';
import type { PageBuilder } from './pages.ts';

/** A page as it looks: what it is stands above it, and its forms send nothing. Its forms must have no token. */
export function exampleOf(build: PageBuilder, notice: (t: Translator) => Html): PageBuilder {
  return (t) => ({
    ...build(t),
    live: undefined,
    example: html`<aside class="example notice"><p>${notice(t)}</p></aside>`,
  });
}
