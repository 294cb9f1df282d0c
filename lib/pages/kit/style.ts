import type { Site } from '../../host/school-platform.ts';
import { readableAccent } from './accent.ts';
import { styleSheet } from './style-sheet.ts';

export function styleOf({ colors, stylesheet }: Site): string {
  const accent = colors?.accent === undefined ? undefined : readableAccent(colors.accent);
  return `${styleSheet}${accent ? accentOf(accent) : ''}${inElement(stylesheet ?? '')}`;
}

/**
 * A school's CSS as the text of an element: to CSS `<\/` is what `</` is, and cannot end it. Characters that a browser changes when it
 * reads a document would change the hash.
 */
function inElement(stylesheet: string): string {
  return stylesheet.replaceAll('</', '<\\/').replaceAll(/\r\n?/g, '\n').replaceAll('\0', '');
}

function accentOf({ light, dark }: { readonly light: string; readonly dark: string }): string {
  return `:root{--campus-accent:${light};--campus-on-accent:#fff}
@media (prefers-color-scheme:dark){:root{--campus-accent:${dark};--campus-on-accent:#0a1424}}
`;
}
