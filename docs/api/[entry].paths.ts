import { join } from 'node:path';
import { apiPages } from '../../scripts/api-reference.ts';

const root = join(import.meta.dirname, '../..');

export default {
  paths: () => apiPages(root).map(({ entry, markdown }) => ({ params: { entry }, content: markdown })),
};
