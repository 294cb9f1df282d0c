import { expect, test } from '@jest/globals';
import { contrast, readableAccent } from '../../lib/pages/kit/style.ts';

test.each(['#f2c037', '#ffffff', '#000000', '#1f5fbf', '#7f7f7f', '#00ff00', '#FF00aa'])(
  'accent %s has the WCAG contrast of 4.5 on light and dark, and behind button text',
  (accent) => {
    const { light = '', dark = '' } = readableAccent(accent) ?? {};
    expect(contrast(light, '#ffffff')).toBeGreaterThanOrEqual(4.5);
    expect(contrast(dark, '#1b212b')).toBeGreaterThanOrEqual(4.5);
    expect(contrast(dark, '#0c1524')).toBeGreaterThanOrEqual(4.5);
  },
);

test('a readable accent stays unchanged; an invalid colour is ignored', () => {
  expect(readableAccent('#1f5fbf')?.light).toBe('#1f5fbf');
  for (const wrong of ['red', '#fff', '#1f5fbf;}', '']) expect(readableAccent(wrong)).toBeUndefined();
});
