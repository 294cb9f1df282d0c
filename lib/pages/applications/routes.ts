import type { Route } from '../../contracts/route.ts';
import { sendDocument, textDocument } from '../../http/send.ts';
import { messagePage } from '../kit/error-page.ts';
import { requireMember } from '../kit/page-access.ts';
import { createApplication, handleApplication, listApplications } from './handlers.ts';
import type { ApplicationPageRequest, ApplicationPagesOptions, PageResult } from './handlers.ts';
import { copyScript, copyScriptPath } from './pages.ts';

type PageHandler = (request: ApplicationPageRequest) => Promise<PageResult>;

/** Developers ▸ OAuth applications, for operators. Specification: Registration rules 5. */
export function applicationRoutes(options: ApplicationPagesOptions): Route[] {
  const { path } = options;
  const script = textDocument('text/javascript', copyScript);
  return [
    page(options, path, ['GET'], listApplications),
    page(options, `${path}/new`, ['GET', 'POST'], createApplication),
    page(options, `${path}/:id`, ['GET', 'POST'], handleApplication),
    { path: copyScriptPath(path), methods: ['GET'], kind: 'document', handle: ({ ctx }) => sendDocument(ctx, script) },
  ];
}

function page(options: ApplicationPagesOptions, path: string, methods: Route['methods'], handler: PageHandler): Route {
  return {
    path,
    methods,
    kind: 'page',
    async handle(call) {
      const { ctx, site } = call;
      const request = await requireMember(options, { path: options.path, audience: 'operator' }, call);
      if (!request) return;
      const result = site.connectionsEnabled ? await handler({ ...options, ...request, call }) : notEnabled(site.name);
      if (result !== 'redirected') options.pages.send(ctx, site, result);
    },
  };
}

function notEnabled(school: string): PageResult {
  return messagePage({ title: 'missing.title', texts: ['missing.applications'], values: { school }, status: 404 });
}
