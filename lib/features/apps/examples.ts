import type { Site } from '../../host/school-platform.ts';
import { people } from '../../pages/example-clients.ts';
import { consoles } from '../../pages/kit/console.ts';
import type { MemberPageContext } from '../../pages/kit/member-page.ts';
import { examplePaths, type FeatureExamples } from '../feature-examples.ts';
import { approvalDeniedPage } from './pages/decide.ts';

const { apps, developers, yourApps } = examplePaths;
const { administrator: sections } = consoles({ apps, developers, yourApps, requests: undefined, check: undefined });

function contextAt(site: Site): MemberPageContext {
  const nothing = { openRequests: 0, toReview: () => 0, news: [] };
  const console = { audience: 'administrator', sections, site, currentPath: apps, ...nothing } as const;
  return { page: 'connections', site, path: apps, csrf: '', member: people.operator, switchAccountUrl: '#', console };
}

/** A page in the gallery that only a policy leads to. */
export const appsExamples: FeatureExamples = {
  messages: { 'approval-denied': (_ctx, site) => approvalDeniedPage(contextAt(site)) },
};
