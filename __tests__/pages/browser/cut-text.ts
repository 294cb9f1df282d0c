import type { Page } from 'playwright-core';

/** A window of 1280 × 720 pixels at 200 % zoom: half as many pixels of CSS, each twice as large. */
export const zoomed = { viewport: { width: 640, height: 360 }, deviceScaleFactor: 2 } as const;

/** Each line of text that does not lie whole in what clips it, or that reaches out of the window to the side. */
const cut = `(() => {
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: text } = texts;
    if (text.data.trim() === '' || !text.parentElement.checkVisibility()) continue;
    const around = [];
    for (let each = text.parentElement; each; each = each.parentElement) around.push([each, getComputedStyle(each)]);
    // Only a screen reader reads it.
    if (around.some(([, style]) => style.clipPath !== 'none')) continue;
    const scrolls = around.some(([, { overflowX }]) => overflowX === 'auto' || overflowX === 'scroll');
    const clips = around.filter(([, { overflowX }]) => overflowX === 'hidden' || overflowX === 'clip').map(([each]) => each.getBoundingClientRect());
    const range = document.createRange();
    range.selectNodeContents(text);
    const isCut = [...range.getClientRects()].some(({ left, right, top, bottom }) =>
      (!scrolls && (left < -1 || right > innerWidth + 1)) ||
      clips.some((clip) => left < clip.left - 1 || right > clip.right + 1 || top < clip.top - 1 || bottom > clip.bottom + 1));
    if (isCut) found.push(text.data.trim().slice(0, 60));
  }
  return found;
})()`;

/** The beginnings of all texts of a page that are cut. */
export function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(cut);
}
