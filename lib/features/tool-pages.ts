import type { RouteCall } from '../http/route.ts';
import type { PageBuilder } from '../pages/kit/pages.ts';
import type { McpDescription, McpEndpoint } from '../plugin-contract/plugin.ts';
import type { RouteParts } from './parts.ts';

/** Pages that a feature adds where there are tools. */
export interface ToolPages {
  /** Where a person sees whether their app has arrived, below their connected apps. */
  readonly checkUnder?: string;
  /** What a browser shows at an address of the tools. */
  readonly atEndpoint?: (
    parts: RouteParts,
    call: RouteCall,
    opened: McpEndpoint,
    tools: McpDescription,
  ) => Promise<PageBuilder>;
}
