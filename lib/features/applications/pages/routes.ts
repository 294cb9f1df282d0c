import type { ClientAudience } from '../../../core/clients/client.ts';
import type { Route } from '../../../http/route.ts';
import { field } from '../../../http/body.ts';
import { memberMessage } from '../../../pages/kit/error-page.ts';
import { noticeOf } from '../../../pages/kit/csrf-tokens.ts';
import { memberRoute, type PageResult } from '../../../pages/kit/page-access.ts';
import { listingIn } from '../../../pages/kit/lists.ts';
import { endpointFor } from '../../../pages/set-up/steps.ts';
import { decidedPage } from './answer-conflicts.ts';
import { askedFor, requestIn, valuesFor } from './inbox.ts';
import { shownIn } from '../../../pages/kit/conflict.ts';
import { create, remove, rotate, save, show } from './actions.ts';
import {
  blankForm,
  blankSignInForm,
  blankTicks,
  noTicks,
  enteredOf,
  problemsIn,
  readFormValues,
} from './form-values.ts';
import { filledIn, findKnownApplication } from './known-apps.ts';
import { applicationsFile, listPage } from './list-page.ts';
import { newPage } from './form-pages.ts';
import { namedFor, returningTo } from './sign-in-form.ts';
import { findRecipe } from './sign-in-recipes.ts';
import { explainRefusal } from './refusal-page.ts';
import {
  type ApplicationPageRequest,
  type ApplicationPagesOptions,
  askedFields,
  fieldsIn,
  missing,
  toolScopes,
} from './page-request.ts';

/** Developers, for administrators: what the school has added itself. Specification: Registration rules 5. */
export function applicationRoutes(options: ApplicationPagesOptions): Route[] {
  const kind = { audience: 'administrator', page: 'applications', forbidden: 'forbidden.operator' } as const;
  const page = (under: string, handle: (request: ApplicationPageRequest) => Promise<PageResult>): Route =>
    memberRoute(options, kind, under, (request) =>
      request.context.site.connectionsEnabled ? handle(request) : notEnabled(request),
    );
  return [
    { ...page('', listApplications), methods: ['GET'] },
    page('/new', createApplication),
    page('/refused', explainRefusal),
    page('/asked', askedFor),
    page('/:id', handleApplication),
  ];
}

function notEnabled({ context }: ApplicationPageRequest): PageResult {
  const values = { school: context.site.name };
  return memberMessage(context, { title: 'missing.title', texts: ['missing.applications'], values, status: 404 });
}

async function listApplications(request: ApplicationPageRequest): Promise<PageResult> {
  const { applications, endpoints, enabled, path, context, call } = request;
  const { site } = context;
  const { query } = call.ctx;
  const menus = ['audience', 'secret', 'status', 'used', 'sort'] as const;
  const listing = listingIn(query, { path, menus, order: 'list.sort.created' });
  if (query['format'] === 'csv')
    return applicationsFile(await applications.list(site, { ...listing.query, size: undefined }));
  const removed = noticeOf(request, ['removed'])?.removed;
  return listPage(context, {
    list: await applications.list(site, listing.query),
    listing,
    services: enabled.hasServices,
    assistantsPath: endpointFor(endpoints, 'operator')?.path,
    removed: removed === undefined || removed === 'service' ? removed : Number(removed),
  });
}

async function createApplication(request: ApplicationPageRequest): Promise<PageResult> {
  const { enabled, context, form, call } = request;
  const { app, request: requested } = call.ctx.query;
  const isSignIn = requested === undefined && call.ctx.query['for'] === 'sign-in';
  const audience = requested === undefined && !isSignIn ? audienceIn(request) : 'member';
  const chosen = findKnownApplication(app);
  const recipe = isSignIn ? findRecipe(app) : undefined;
  const scopes = toolScopes(request, audience);
  const asked = await requestIn(request);
  if (requested !== undefined && (!asked || (!form && asked.status !== 'open'))) return decidedPage(request, asked);
  if (!form) {
    const blank = asked
      ? valuesFor(request, asked)
      : isSignIn
        ? namedFor(blankSignInForm(), { app: recipe })
        : filledIn(blankForm(audience), { app: chosen, scopes });
    const empty = enteredOf(fieldsIn(request, blank), () => '');
    const ticked = asked ? noTicks : blankTicks(audience, askedFields(request));
    return newPage(context, { values: { ...blank, ...empty, ticked }, app, asked });
  }
  const fields = fieldsIn(request, isSignIn ? blankSignInForm() : { audience });
  const values = readFormValues(form, { audience, isSignIn, fields, known: enabled.known });
  if (field(form, 'action') === 'app' && isSignIn)
    return newPage(context, { values: namedFor(values, { app: recipe, before: findRecipe(field(form, 'app')) }), app });
  if (field(form, 'action') === 'app') {
    const before = findKnownApplication(field(form, 'app'));
    return newPage(context, { values: filledIn(values, { app: chosen, before, scopes }), app });
  }
  const complete = recipe ? returningTo(values, recipe) : values;
  const problems = problemsIn(complete, request);
  if (asked?.status === 'open' && shownIn(form).version !== asked.version)
    return newPage(context, { values, app, asked, hasChanged: true });
  return problems.length > 0
    ? newPage(context, { values, problems, app, asked })
    : create(request, form, complete, asked);
}

function audienceIn({ enabled, call }: ApplicationPageRequest): ClientAudience {
  const { audience } = call.ctx.query;
  if (audience === 'service' && enabled.hasServices) return audience;
  return audience === 'operator' ? audience : 'member';
}

async function handleApplication(request: ApplicationPageRequest): Promise<PageResult> {
  const { applications, context, form, call } = request;
  const action = form && field(form, 'action');
  if (form && action === 'remove') return remove(request, form);
  const application = await applications.find(context.site, call.id);
  if (!application) return missing(request);
  if (!form) return show(request, application);
  return action === 'rotate' ? rotate(request, application, form) : save(request, application, form);
}
