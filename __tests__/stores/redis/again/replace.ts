import { replaceModule } from '../../../helpers/replace-module.ts';

replaceModule('/adapters/memory/index.ts', new URL('memory-store.ts', import.meta.url));
