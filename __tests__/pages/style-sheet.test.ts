import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { styleSheetFile, styleSheetModule } from '../../scripts/style-sheet.ts';

test(`${styleSheetFile} is what \`npm run style\` writes`, async () => {
  expect(readFileSync(styleSheetFile, 'utf8')).toBe(await styleSheetModule());
});
