import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { styleSheetFile, styleSheetModule } from './style-sheet.ts';
import { printHelp } from './help.mjs';

printHelp(`usage: npm run style

Writes the style sheet that browsers get from lib/pages/kit/style.css.`);

// npm run style. A test says when it is due.
writeFileSync(join(import.meta.dirname, '..', styleSheetFile), await styleSheetModule());
