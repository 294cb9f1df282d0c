/** Behind text in the accent colour; the same as `--card` of the style. */
const backgrounds = { light: '#ffffff', dark: '#151920' };

/** WCAG 2.2, 1.4.3: contrast (minimum). */
const minContrast = 4.5;

/** Darkens or lightens a colour until it is readable as text on both backgrounds; `undefined` if it is not `#rrggbb`. */
export function readableAccent(accent: string): { light: string; dark: string } | undefined {
  const colour = rgbOf(accent);
  if (!colour) return undefined;
  return { light: blend(colour, 0, backgrounds.light), dark: blend(colour, 255, backgrounds.dark) };
}

/** WCAG 2.2: contrast ratio. */
export function contrast(a: string, b: string): number {
  const [x = 0, y = 0] = [a, b].map((colour) => luminance(rgbOf(colour) ?? [0, 0, 0])).sort((m, n) => n - m);
  return (x + 0.05) / (y + 0.05);
}

function rgbOf(colour: string): number[] | undefined {
  const digits = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(colour);
  return digits?.slice(1).map((pair) => Number.parseInt(pair, 16));
}

/** Mixes in as little black (0) or white (255) as the contrast requires. */
function blend(colour: readonly number[], target: number, background: string): string {
  for (let share = 0; share < 1; share += 0.05) {
    const text = hex(colour.map((part) => Math.round(part + (target - part) * share)));
    if (contrast(text, background) >= minContrast) return text;
  }
  return hex([target, target, target]);
}

function hex(parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function luminance(colour: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
