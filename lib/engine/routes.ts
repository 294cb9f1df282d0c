import { stringify } from 'node:querystring';
import type { Context } from 'koa';
import type { DeclaredBoundary } from '../core/boundaries/boundary.ts';
import { detailsOf } from '../core/boundaries/authorization-details.ts';
import { clientOfUnverifiableIdToken } from '../core/keys/id-tokens.ts';
import { originsOf } from '../host/origins.ts';
import type { Site } from '../host/school-platform.ts';
import type { Route } from '../http/route.ts';
import type { ChangeOptions } from '../core/grants/changes.ts';
import { PendingRedemption, type RedemptionOptions } from '../core/grants/redemption.ts';
import { type Form, readForm } from '../http/body.ts';
import { exposeNonce } from '../http/cors.ts';
import { headerCount } from '../http/received-request.ts';
import { InvalidClient, InvalidRequest } from '../kernel/errors.ts';
import { objectOf, textOf } from '../kernel/json.ts';
import { paths } from '../http/paths.ts';
import type { ScopeCatalogue } from '../core/scopes/scopes.ts';
import type { GrantRecord } from '../records/codec.ts';
import { AuthorizationResponse } from './authorization-response.ts';
import type { EngineContext, EngineFinder } from './engine.ts';
import type { EngineFeature, StartEndpoint } from './engine-feature.ts';
import { type Denial, EngineRequest, type RequestSources } from './engine-request.ts';
import { checkQuerySize } from './parameter-checks.ts';
import { authorizationParameters, parameterLimits } from './parameter-limits.ts';
import { basicClientId } from './claimed-client.ts';
import { isMetadataDocumentId } from '../core/clients/client-id.ts';
import { signInOf } from '../core/clients/sign-in-client.ts';
import { completeIntrospection, introspectedPlainly } from './introspection.ts';
import { continueByGet } from './posted-request.ts';
import { reportingRefusal } from './refusal-events.ts';
import { scopesOfClient, scopesOfForm } from './requested-scopes.ts';
import { type RequestNormalizer, withRedirectUri } from './normalized-request.ts';

/** Shows who is signed in, in place of a redirect to the application that says that this person may not use it. */
export type ShowDenied = (request: EngineRequest, denied: Denial, back: string) => Promise<void>;

/** Called with the grant that a request for tokens uses. */
export type BeforeRedemption = (options: ChangeOptions, site: Site, grant: GrantRecord) => Promise<void>;

interface EngineRoutes extends RequestSources {
  readonly beforeRedemption: readonly BeforeRedemption[];
  readonly redeeming: RedemptionOptions;
  readonly catalogue: ScopeCatalogue;
  readonly engineOf: EngineFinder;
  readonly normalize: RequestNormalizer;
  readonly showDenied: ShowDenied;
  readonly features: readonly EngineFeature[];
  readonly boundaries: readonly DeclaredBoundary[];
}

export function engineRoutes(routes: EngineRoutes): Route[] {
  const { onAudit } = routes.core.audit;
  const parameters = authorizationParameters(routes.features.flatMap(({ steps = [] }) => steps));
  return [
    {
      path: paths.authorize,
      methods: ['GET', 'POST'],
      kind: 'page',
      acts: true,
      atFormerOrigins: 'POST',
      foreignForms: true,
      handle: (call) => {
        const request = new EngineRequest(call.ctx, call.site, routes);
        return reportingRefusal(onAudit, request, 'person', () =>
          call.ctx.method === 'POST' ? continueByGet(call, parameters) : startAuthorization(routes, request),
        );
      },
    },
    {
      path: `${paths.authorize}/:id`,
      methods: ['GET'],
      kind: 'page',
      acts: true,
      handle: ({ ctx, site, id }) => {
        const request = new EngineRequest(ctx, site, routes);
        return reportingRefusal(onAudit, request, 'person', () =>
          authorize(routes, request, `${paths.authorize}/${id}`),
        );
      },
    },
    post(routes, paths.token, redeem),
    post(routes, paths.revoke, () => undefined),
    // Resource servers have access tokens. Without a hint the engine looks for a refresh token at the same time.
    post(routes, paths.introspect, completeIntrospection, { hint: 'access_token', plainly: introspectedPlainly }),
    ...routes.features.flatMap(({ starts = [] }) => starts.map((start) => postStart(routes, start))),
  ];
}

/** Returns the body to send in place of the engine's. */
type Completion = (
  routes: EngineRoutes,
  request: EngineRequest,
  form: Form,
  response: object,
) => object | undefined | Promise<object | undefined>;

/** Answers without a run of the engine, or returns `undefined` for it. */
type PlainAnswer = (routes: EngineRoutes, request: EngineRequest, form: Form) => Promise<object | undefined>;

interface PostOptions {
  /** The `token_type_hint` for the engine. */
  readonly hint?: string;
  readonly plainly?: PlainAnswer;
}

function post(routes: EngineRoutes, path: string, complete: Completion, { hint, plainly }: PostOptions = {}): Route {
  return {
    path,
    methods: ['POST'],
    kind: 'api',
    handle: async ({ ctx, site }) => {
      await checkAuthorization(routes, ctx, site);
      const redemption = path === paths.token ? new PendingRedemption() : undefined;
      const request = new EngineRequest(ctx, site, routes, { redemption });
      const sent = await readSent(request);
      const body = await plainly?.(routes, request, sent);
      if (body) {
        ctx.body = body;
        return;
      }
      if (redemption) await expected(request.expectRule(request.sender.clientId));
      const whole = redemption ? await withRedirectUri(request, sent) : sent;
      const form = await routes.normalize.form(whole, site, scopesOfForm(routes, request, sent), hint);
      const engine = await runForClient(routes, request, path, stringify(form));
      const { status, body: response } = engine;
      if (redemption) await tellFeatures(routes, request, engine);
      if (status === 200 && typeof response === 'object' && response !== null) {
        engine.body = (await complete(routes, request, sent, response)) ?? response;
      }
      send(request, engine);
    },
  };
}

async function tellFeatures(
  { features }: EngineRoutes,
  { ctx, site, sender: { clientId } }: EngineRequest,
  { status, body }: EngineContext,
): Promise<void> {
  const error = textOf(objectOf(body), 'error');
  for (const { answered } of features) await answered?.({ ctx, site, clientId, status, error });
}

/** A parameter without a value is one that was not sent. RFC 6749 section 3.2. */
function withoutEmptyFields(form: Form): Form {
  const fields = Object.entries(form);
  if (fields.every(([, value]) => value !== '')) return form;
  return Object.fromEntries(fields.filter(([, value]) => value !== ''));
}

/**
 * An app that is configured with its endpoints, and never sends `resource`, can have it in the query of the token endpoint,
 * which it must keep. RFC 6749 section 3.2.
 */
function withResource(form: Form, { query: { resource } }: Context): Form {
  return typeof resource === 'string' && form['resource'] === undefined ? { ...form, resource } : form;
}

/** The form of a client, which is not looked at if too many proofs of the caller have failed. */
async function readSent(request: EngineRequest): Promise<Form> {
  const { ctx, site } = request;
  request.form = withResource(withoutEmptyFields(await readForm(ctx)), ctx);
  const { proof } = request.sender;
  proof?.method.check(ctx, site, proof);
  return request.form;
}

/** Counts a proof that does not show who the client is, and ends its turn. */
async function runForClient(
  routes: EngineRoutes,
  request: EngineRequest,
  path: string,
  form: string,
): Promise<EngineContext> {
  const { ctx, site } = request;
  const { proof } = request.sender;
  try {
    const engine = await runEngine(routes.engineOf, request, path, form);
    if (engine.status === 401) proof?.method.countFailure(ctx, site, proof);
    return engine;
  } finally {
    proof?.method.finished(proof);
  }
}

/** An authorization request in a form, of an app that has no browser. */
function postStart(routes: EngineRoutes, { path, complete }: StartEndpoint): Route {
  return {
    path,
    methods: ['POST'],
    kind: 'api',
    handle: async ({ ctx, site }) => {
      await checkAuthorization(routes, ctx, site);
      const request = new EngineRequest(ctx, site, routes, { purpose: 'start' });
      await reportingRefusal(routes.core.audit.onAudit, request, 'app', async () => {
        await readSent(request);
        const form = await routes.normalize.query(stringify(request.form), site, (id) =>
          scopesOfClient(routes, request, request.sender.clientId ?? id),
        );
        leaveOutLostHint(routes, request, form);
        checkQuerySize(form.toString());
        const engine = await runForClient(routes, request, path, form.toString());
        if (engine.status === 200) engine.body = complete(Object(engine.body));
        send(request, engine);
      });
    },
  };
}

async function startAuthorization(routes: EngineRoutes, request: EngineRequest): Promise<void> {
  const { querystring } = request.ctx;
  checkQuerySize(querystring);
  const query = await routes.normalize.query(querystring, request.site, (clientId) =>
    scopesOfClient(routes, request, clientId),
  );
  leaveOutLostHint(routes, request, query);
  const [clientId, ...others] = query.getAll('client_id');
  if (clientId !== undefined && others.length === 0)
    await expected(Promise.all([request.expectRule(clientId), request.expectGrant(clientId)]));
  await authorize(routes, request, `${paths.authorize}?${query.toString()}`);
}

/** A failure is reported where what was expected is asked for. */
async function expected(expecting: Promise<unknown>): Promise<void> {
  await expecting.catch(() => undefined);
}

/** An ID token that was signed with a key of this school that is gone, or issued before it moved, says nothing, and locks nobody out. */
function leaveOutLostHint({ core }: EngineRoutes, request: EngineRequest, query: URLSearchParams): void {
  const [hint, ...others] = query.getAll('id_token_hint');
  if (hint === undefined || others.length > 0 || hint.length > parameterLimits.id_token_hint) return;
  const { site } = request;
  const clientId = clientOfUnverifiableIdToken(core.keys.of(site), originsOf(site), hint);
  if (clientId === undefined || clientId !== (query.get('client_id') ?? request.sender.clientId)) return;
  request.hintIsLost = true;
  query.delete('id_token_hint');
}

async function authorize(routes: EngineRoutes, request: EngineRequest, url: string): Promise<void> {
  const { ctx } = request;
  const engine = await runEngine(routes.engineOf, request, url);
  send(request, engine);
  const response = AuthorizationResponse.of(engine, routes.catalogue);
  if (!response) return;
  const { denied } = request;
  // RFC 6749 section 4.1.2.1.
  if (denied?.helpUrl !== undefined) response.parameters.set('error_uri', denied.helpUrl);
  ctx.set('Location', response.address);
  // Nobody looks at the response to prompt=none.
  if (!denied || denied.helpUrl !== undefined || denied.params['prompt'] === 'none') return;
  if (ctx.accepts('html', 'json') !== 'html') return;
  ctx.remove('Location');
  await routes.showDenied(request, denied, response.address);
}

/** The engine works out the response, then everything that it wants to store is committed at once. */
const redeem: Completion = async (routes, request, form, issued) => {
  const { redemption, records, secret, site } = request;
  const { token } = records;
  const grant = records.last('Grant');
  const { store } = routes.redeeming.core.records;
  for (const before of routes.beforeRedemption) {
    if (grant) await before({ store, catalogue: routes.catalogue }, site, grant.record);
  }
  const appOf = (clientId: string): string | undefined => request.appOf(clientId);
  const only = grant?.record.only;
  // RFC 9396 section 7: the app learns what the person has chosen.
  const response = only ? { ...issued, authorization_details: detailsOf(only) } : issued;
  const answered = { site, form, response, appOf, secret, familyId: token?.familyId, grant };
  return redemption?.commit(routes.redeeming, answered);
};

export async function runEngine(
  engineOf: EngineFinder,
  request: EngineRequest,
  url: string,
  form?: string,
): Promise<EngineContext> {
  const engine = engineOf(request.site);
  const ctx = engine.context(request, url, form);
  await engine.handle(ctx);
  return ctx;
}

/** Sends the engine's response through the host's context. Both write to one response, so its headers are set already. */
export function send({ ctx }: EngineRequest, { status, body }: EngineContext): void {
  exposeNonce(ctx);
  ctx.body = body;
  ctx.status = status;
  if (status === 503 && !ctx.response.get('Retry-After')) ctx.set('Retry-After', '1');
}

/** The engine accepts HTTP Basic also where the metadata does not list it, and the first of several headers. */
async function checkAuthorization(routes: EngineRoutes, ctx: Context, site: Site): Promise<void> {
  if (!/^basic\b/i.test(ctx.get('Authorization'))) return;
  const { authentication, introspectionAuthentication } = routes.enabled;
  const methods = ctx.path === paths.introspect ? introspectionAuthentication : authentication;
  if (methods.some(({ name }) => name === 'client_secret_basic') || (await takesBasic(routes, ctx, site))) {
    if (headerCount(ctx.req, 'authorization') > 1)
      throw new InvalidRequest('there must be one Authorization header, not several; a proxy may have added one');
    return;
  }
  throw new InvalidClient(
    'HTTP Basic is not supported here; send client_id and client_secret in the body; a proxy may have added the Authorization header',
    {
      headers: { 'WWW-Authenticate': `Basic realm="${site.origin}"` },
    },
  );
}

/** Whether the client that the header names has that property, before the form is read. */
async function takesBasic({ core }: EngineRoutes, ctx: Context, site: Site): Promise<boolean> {
  const clientId = basicClientId(ctx);
  // The engine refuses what no `client_id` has, and a store may not take it.
  if (clientId === undefined || !/^[\x21-\x7e]+$/.test(clientId) || isMetadataDocumentId(clientId)) return false;
  const client = await core.clients.findStored(site.id, clientId, 'identify');
  return client !== undefined && signInOf(client)?.basic === true;
}
