import { replaceModule } from '../../../helpers/replace-module.ts';

replaceModule('/adapters/memory/index.ts', new URL('sqlite.ts', import.meta.url));
