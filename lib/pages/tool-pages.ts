import type { Applications } from '../core/applications/application.ts';
import type { ProgramRequests } from '../core/applications/request.ts';
import type { Connections } from '../core/connections/connection.ts';
import type { DecisionByRules } from '../core/decisions/decision-by-rules.ts';
import type { Member, Site } from '../host/school-platform.ts';
import type { Route, RouteCall } from '../http/route.ts';
import type { FindEvents } from './activity/events.ts';
import type { Tools } from './activity/sentences.ts';
import type { PageKit } from './kit/page-access.ts';
import type { PageBuilder } from './kit/pages.ts';
import type { SetUpPaths } from './set-up/steps.ts';
import type { McpDescription, McpEndpoint } from '../plugin-contract/plugin.ts';

/** From what a feature makes pages for the people who connect a program to the tools. */
export interface ToolPageSources {
  readonly kit: PageKit;
  readonly applications: Pick<Applications, 'find'>;
  readonly requests: Pick<ProgramRequests, 'list'>;
  readonly connections: Pick<Connections, 'list'>;
  readonly findEvents: FindEvents | undefined;
  /** What Activity says of a call of a tool. */
  readonly tools: Tools;
  /** What is decided about programs, for a person or for nobody. */
  readonly programDecisions: (site: Site, member?: Member) => Promise<ReadonlyMap<string, DecisionByRules>>;
  /** Whether programs for operators get in without an application. */
  readonly openToPrograms: boolean;
  /** The page of connected apps, if there is one. */
  readonly connectedApps: string | undefined;
  readonly paths: SetUpPaths;
}

/** Pages that a feature adds where there are tools. */
export interface ToolPages {
  /** Where a person sees whether their program has arrived, below their connected apps. */
  readonly checkUnder?: string;
  readonly routes?: (sources: ToolPageSources) => readonly Route[];
  /** What a browser shows at an address of the tools. */
  readonly atEndpoint?: (
    sources: ToolPageSources,
    call: RouteCall,
    opened: McpEndpoint,
    tools: McpDescription,
  ) => Promise<PageBuilder>;
}
