import { expect, test } from '@jest/globals';
import { contrast, readableAccent } from '../../lib/pages/kit/colours.ts';

const backgrounds = { light: '#ffffff', dark: '#1b212b' };

test.each(['#f2c037', '#ffffff', '#000000', '#1f5fbf', '#7f7f7f', '#00ff00', '#FF00aa'])(
  'an accent of %s can be read on light and dark, with text on it',
  (accent) => {
    const { light = '', dark = '' } = readableAccent(accent, backgrounds) ?? {};
    expect(contrast(light, '#ffffff')).toBeGreaterThanOrEqual(4.5);
    expect(contrast(dark, '#1b212b')).toBeGreaterThanOrEqual(4.5);
    expect(contrast(dark, '#0c1524')).toBeGreaterThanOrEqual(4.5);
  },
);

test('one that can be read stays as it is; what is no colour is nothing', () => {
  expect(readableAccent('#1f5fbf', backgrounds)?.light).toBe('#1f5fbf');
  for (const wrong of ['red', '#fff', '#1f5fbf;}', '']) expect(readableAccent(wrong, backgrounds)).toBeUndefined();
});
