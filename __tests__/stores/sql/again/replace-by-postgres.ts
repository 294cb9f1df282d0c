import { replaceModule } from '../../../helpers/replace-module.ts';

replaceModule('/adapters/memory/index.ts', new URL('postgres.ts', import.meta.url));
