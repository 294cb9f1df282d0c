import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from 'esbuild';

const source = 'lib/pages/kit/style.css';
export const styleSheetFile = 'lib/pages/kit/style-sheet.ts';

/** The module with what browsers get of the style sheet. */
export async function styleSheetModule(): Promise<string> {
  const css = await readFile(join(import.meta.dirname, '..', source), 'utf8');
  const { code } = await transform(css, { loader: 'css', minify: true, charset: 'utf8' });
  const text = withShortProperties(code.trim()).replaceAll(/[`\\]|\$\{/g, '\\$&');
  return `/** Written by \`npm run style\` from style.css. */
export const styleSheet = \`${text}\`;
`;
}

/** esbuild keeps the white space in the value of a custom property, which a script could read. */
function withShortProperties(css: string): string {
  return css.replaceAll(/(--[\w-]+): ([^;}]+)/g, (_, name: string, value: string) => {
    return `${name}:${value.replaceAll(/ ?([,*]) /g, '$1')}`;
  });
}
