import type { Tool } from '../../contracts/tools.ts';
import { paths } from '../../protocol/paths.ts';

/** The school's name, address and logo, and the address of the guide for developers. */
export function schoolInfo(): Tool {
  return {
    name: 'school_info',
    title: 'About this school',
    description: 'Returns the name, address and logo of this school and the address of its guide for developers.',
    access: 'public',
    annotations: { readOnlyHint: true, openWorldHint: false },
    run: (_args, { site: { name, origin, logoUrl } }) => ({
      structuredContent: { name, origin, logoUrl, guide: `${origin}${paths.guide}` },
    }),
  };
}
