import { replaceModule } from '../../helpers/replace-module.ts';

replaceModule('/lib/records/record-forms.ts', new URL('record-forms.ts', import.meta.url));
