import type { ToolPages } from '../../pages/tool-pages.ts';
import { checkRoute, checkUnder } from './check-page.ts';
import { assistantPage } from './page.ts';

/** How to connect an assistant, and whether it has arrived. */
export const assistantPages: ToolPages = {
  checkUnder,
  routes: ({ kit, connections, findEvents, tools, connectedApps: path }) =>
    path === undefined ? [] : [checkRoute({ path, kit, connections, findEvents, tools })],
  atEndpoint: assistantPage,
};
