type Rgb = readonly [number, number, number];

/** Contrast that text needs. WCAG 2.2, 1.4.3. */
const enough = 4.5;

/** The accent of a site in light and dark, as it can be read. */
export interface Accent {
  readonly light: string;
  readonly dark: string;
}

/** Moves a colour toward black or white until it can be read on each of the backgrounds of light and dark pages. */
export function readableAccent(accent: string, backgrounds: { light: string; dark: string }): Accent | undefined {
  const colour = rgbOf(accent);
  if (!colour) return undefined;
  return { light: moved(colour, backgrounds.light, 0), dark: moved(colour, backgrounds.dark, 255) };
}

/** The contrast of two colours. WCAG 2.2, contrast ratio. */
export function contrast(a: string, b: string): number {
  const [x = 0, y = 0] = [a, b].map((colour) => luminance(rgbOf(colour) ?? [0, 0, 0])).sort((m, n) => n - m);
  return (x + 0.05) / (y + 0.05);
}

function rgbOf(colour: string): Rgb | undefined {
  const digits = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(colour);
  if (!digits) return undefined;
  const [red = 0, green = 0, blue = 0] = digits.slice(1).map((pair) => Number.parseInt(pair, 16));
  return [red, green, blue];
}

function moved(colour: Rgb, background: string, end: number): string {
  for (let share = 0; share < 1; share += 0.05) {
    const text = hex(colour.map((part) => Math.round(part + (end - part) * share)));
    if (contrast(text, background) >= enough) return text;
  }
  return hex([end, end, end]);
}

function hex(parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
