import type { Tool } from '../../contracts/tools.ts';
import { paths } from '../../protocol/paths.ts';

/** Which school this is: its name, address and logo, and where the guide for developers is. */
export function schoolInfo(): Tool {
  return {
    name: 'school_info',
    title: 'About this school',
    description: 'Says which school this is: its name, its address, its logo, and where its guide for developers is.',
    access: 'public',
    annotations: { readOnlyHint: true, openWorldHint: false },
    run: (_args, { site: { name, origin, logoUrl } }) => ({
      structuredContent: { name, origin, logoUrl, guide: `${origin}${paths.guide}` },
    }),
  };
}
