import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { contrast, readableAccent } from '../../lib/pages/kit/accent.ts';
import { styleOf } from '../../lib/pages/kit/style.ts';
import { harbourSite } from '../helpers/sites.ts';

test.each(['#f2c037', '#ffffff', '#000000', '#1f5fbf', '#7f7f7f', '#00ff00', '#FF00aa'])(
  'accent %s has the WCAG contrast of 4.5 on light and dark, and behind button text',
  (accent) => {
    const { light = '', dark = '' } = readableAccent(accent) ?? {};
    expect(contrast(light, '#ffffff')).toBeGreaterThanOrEqual(4.5);
    expect(contrast(dark, '#151920')).toBeGreaterThanOrEqual(4.5);
    expect(contrast(dark, '#0a1424')).toBeGreaterThanOrEqual(4.5);
  },
);

test('a readable accent stays unchanged; an invalid colour is ignored', () => {
  expect(readableAccent('#1f5fbf')?.light).toBe('#1f5fbf');
  for (const wrong of ['red', '#fff', '#1f5fbf;}', '']) expect(readableAccent(wrong)).toBeUndefined();
});

describe('the looks that docs/guides/look-and-feel.md documents', () => {
  const site = harbourSite();
  const css = styleOf(site);
  const documented = readFileSync(new URL('../../docs/guides/look-and-feel.md', import.meta.url), 'utf8').split(
    /^## Custom properties$/m,
  )[1];
  const inDocs = (pattern: RegExp): string[] => [...(documented?.matchAll(pattern) ?? [])].map(([, name = '']) => name);

  test('custom properties: all of :root and the accent of dark mode, and no others', () => {
    const [, root = ''] = /:root\{([^}]*)\}/.exec(css) ?? [];
    const names = [...root.matchAll(/(--[\w-]+):/g)].map(([, name = '']) => name);
    // It has no value of its own: the accent is used in both modes.
    const known = [...names, '--campus-accent-dark'];
    expect([...new Set(inDocs(/`(--campus-[\w-]+)`/g))].sort()).toEqual(known.sort());
    const used = [...css.matchAll(/var\((--[\w-]+)/g)].map(([, name = '']) => name);
    expect(names.filter((name) => !used.includes(name))).toEqual([]);
  });

  test('the style sheet has at most 20 kB', () => {
    expect(Buffer.byteLength(styleOf(site))).toBeLessThanOrEqual(20 * 1024);
  });

  test('no rule knows left from right: what stands at the start of a line does so in every language', () => {
    const physical =
      /(?:margin|padding|border|inset)-(?:left|right)|(?<![\w-])(?:left|right):|(?:text-align|float):(?:left|right)/g;
    expect(css.match(physical)).toBeNull();
  });

  test('classes: each is in the style sheet', () => {
    const classes = inDocs(/`\.([a-z]+)`/g);
    expect(classes.length).toBeGreaterThan(8);
    expect(classes.filter((name) => !new RegExp(`\\.${name}\\b`).test(css))).toEqual([]);
  });
});
