import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { styleSheetFile, styleSheetModule } from './style-sheet.ts';

// npm run style. A test says when it is due.
writeFileSync(join(import.meta.dirname, '..', styleSheetFile), await styleSheetModule());
