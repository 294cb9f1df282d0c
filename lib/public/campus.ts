import type { IncomingMessage } from 'node:http';
import * as args from './argument-schemas.ts';
import type { Context, Middleware } from 'koa';
import type { AccessRequirement } from '../core/bearer/access-requirement.ts';
import type { VerifyAccess } from '../core/bearer/bearer-auth.ts';
import { frameworkGuard, type Guard, type GuardOptions } from '../core/bearer/framework-guard.ts';
import { accepting } from '../core/bearer/guard.ts';
import { type AccessGuard, koaGuard, type TokenState } from '../core/bearer/koa-guard.ts';
import { checkHonours } from '../core/boundaries/honours-field.ts';
import type { Applications } from '../core/applications/application.ts';
import type { TokenOf, ClientAudience, PersonAudience } from '../core/clients/client.ts';
import type { AppRequests } from '../core/applications/request.ts';
import type { Apps } from '../core/apps/apps.ts';
import type { ExplainQuestion, Explanation } from '../core/access/explain.ts';
import {
  type ExplainedReference,
  explainReference,
  type ReferenceQuestion,
} from '../core/access/explained-reference.ts';
import type { ScopeRow } from '../core/scopes/scopes.ts';
import type { Connections } from '../core/connections/connection.ts';
import { features } from '../features/features.ts';
import type { FeatureMethods } from '../features/feature-methods.ts';
import type { Checks } from '../features/method-checks.ts';
import { added } from '../kernel/added.ts';
import type { Member, Site } from '../host/school-platform.ts';
import { schoolAt } from '../host/school-at.ts';
import type { TakingOrigins } from '../host/taking-origins.ts';
import { type NodeHandler, createNodeHandler } from '../http/node-handler.ts';
import type { ProxyOptions } from '../http/proxy-options.ts';
import type { DiagnoseOptions, Finding, Health, HealthOptions } from '../kernel/finding.ts';
import type { CampusEmitter, OnFault } from '../observe/events.ts';
import { diagnose } from '../diagnose/diagnose.ts';
import { healthOf, writeAndRemove } from '../diagnose/health.ts';
import { createProcessKeys } from '../diagnose/process-keys.ts';
import {
  createProxyCheck,
  guardProxy,
  handlerProxy,
  koaProxy,
  type ProxyCheck,
  type ProxySetting,
} from '../http/proxy-check.ts';
import { createUnknownOrigins } from '../http/unknown-origins.ts';
import { createRouter } from '../http/router.ts';
import type { OAuthError } from '../kernel/errors.ts';
import { withTimeout } from '../kernel/timeout.ts';
import { refuseArguments } from '../kernel/validate.ts';
import { sendBrowserError } from '../pages/kit/error-page.ts';
import type { CampusParts } from '../campus-parts.ts';
import { createRoutes } from '../routes.ts';
import { checked, checkedMethods, takingOrigins } from './check-arguments.ts';
import { createSiteOf } from './site-of.ts';

/**
 * Every school of a platform as an OpenID provider. A wrong argument causes a `TypeError` that names it, for example
 * `connections.revokeAll.memberId must be a non-empty string, not undefined`. Methods that return a promise reject with it, and others
 * throw it.
 */
export interface Campus<School extends Site = Site, Person extends Member = Member> extends FeatureMethods {
  /** Returns the Koa middleware with every route. Other paths and hosts fall through. @throws TypeError for a wrong argument */
  middleware(): Middleware;
  /**
   * Returns the same as a Node listener `(req, res, next?)`, for `node:http`, Express, Fastify, Nest and others. Other paths and hosts go
   * to `next`, or get 404 without it. Mount it without a path. The platform gets a Koa context whose `ctx.req` is your request, so an
   * Express session is `ctx.req.session`.
   *
   * @throws TypeError that names a wrong option by its path, for example `handler.proxy must be true or false`
   */
  handler(options?: ProxyOptions): NodeHandler;
  /**
   * Returns Koa middleware that protects your own routes: it checks tokens, sends errors and sets CORS headers like the built-in endpoints.
   * It sets `ctx.state.token`, typed. A request to an origin that is not a school gets 404. It answers preflight requests, and keeps CORS
   * headers that you have set before.
   */
  requireAccess<A extends ClientAudience = PersonAudience>(
    requirement?: AccessRequirement<A> & { readonly anonymous?: false | undefined },
  ): AccessGuard<TokenState<TokenOf<A, School, Person>>>;
  /** Returns the same for a route that allows anonymous requests, where `ctx.state.token` is `undefined`. */
  requireAccess<A extends ClientAudience = PersonAudience>(
    requirement: AccessRequirement<A>,
  ): AccessGuard<TokenState<TokenOf<A, School, Person> | undefined>>;
  /**
   * Returns the same for your routes in other frameworks: a middleware `(req, res, next)` for Express, Fastify, Nest and `node:http`, which
   * with a `Request` is a guard of web handlers, as in Hono. `tokenOf(req)` returns the verified token, typed.
   *
   * @throws TypeError that names a wrong option by its path, for example `guard.scopes must be an array of scopes`
   */
  guard<A extends ClientAudience = PersonAudience>(
    options?: GuardOptions<A> & { readonly anonymous?: false | undefined },
  ): Guard<TokenOf<A, School, Person>>;
  /** Returns the same for a route that allows anonymous requests, which have no token. */
  guard<A extends ClientAudience = PersonAudience>(
    options: GuardOptions<A>,
  ): Guard<TokenOf<A, School, Person> | undefined>;
  readonly verify: VerifyAccess<School, Person>;
  /** Returns the school of a Koa request, for your own routes, or `undefined`. @throws TemporarilyUnavailable if `findSite` fails */
  siteOf(ctx: Context): Promise<School | undefined>;
  /** Returns the school of a request of another framework, whose proxy the options describe. In Fastify, the request is `request.raw`. */
  siteOf(request: IncomingMessage | Request, options?: ProxyOptions): Promise<School | undefined>;
  /** All scopes in order: the scopes of `scopeCatalogue`, then your own. */
  readonly scopes: readonly ScopeRow[];
  /** An operator's OAuth applications at a school. */
  readonly applications: TakingOrigins<Applications>;
  /** A member's connected apps. */
  readonly connections: TakingOrigins<Connections>;
  /** The decisions of a school: its rules for apps and clients, and its reviews of them. */
  readonly apps: TakingOrigins<Apps>;
  /** Requests of members for applications. */
  readonly requests: TakingOrigins<AppRequests>;
  /**
   * Returns what the log has about the reference on a page, and what the person would get of the client now.
   *
   * @throws TypeError for a wrong argument, an origin without a school, or without the option `log`
   * @throws TemporarilyUnavailable if the log, the store or the platform fails
   */
  explain(site: Site | string, question: ReferenceQuestion): Promise<ExplainedReference>;
  /**
   * Returns what a person gets from a client or app at a school (or at its origin), and why, for support and tests. The answer equals the
   * decision of the consent page. The call only reads, and uses the last fetched version of a metadata document.
   *
   * @throws TypeError for a wrong argument or an origin without a school
   * @throws TemporarilyUnavailable if the store or the platform fails
   */
  explain(site: Site | string, question: ExplainQuestion): Promise<Explanation>;
  /**
   * Returns whether the store responds, and how fast. Rejects only for a wrong argument.
   *
   * @throws TypeError that names it, for example `health.write must be true or false, not a string`
   */
  health(options?: HealthOptions): Promise<Health>;
  /**
   * Returns problems with the store, the keys, the schools and the clients of this campus, the worst first: `docs/reference/findings.md`.
   * It only reads.
   *
   * @throws TypeError if an origin is invalid
   */
  diagnose(options?: DiagnoseOptions): Promise<readonly Finding[]>;
  /** Audit events and faults. A failing listener only causes a fault. */
  readonly events: CampusEmitter;
  /**
   * Ends fetches of metadata documents and waits for hooks, for at most 5 seconds. Call it when no request is left.
   * The store, its connection and your listeners stay.
   */
  close(): Promise<void>;
}

const closeMilliseconds = 5000;

/** What `createCampus` returns: every argument is checked. @internal */
export function campusMethods(parts: CampusParts): Campus {
  const { settings, core, pages, school, bearer } = parts;
  const { audit, host, records, keys } = core;
  const { catalogue, boundaryTypes: boundaries } = settings;
  const { findSite } = host;
  const { onFault, events, telemetry } = audit;
  const { store, time: storeTime } = records;
  const { applications, requests } = school.applications;
  const { connections } = school.connections;
  const { apps } = school.apps;
  const { routes, tools, unusedScopes } = createRoutes(parts);
  const sendPageError = (ctx: Context, site: Site, error: OAuthError): Promise<void> =>
    sendBrowserError(pages, ctx, site, error);
  const router = (proxyCheck: ProxyCheck): Middleware =>
    createRouter(routes, {
      answersInstead: parts.features.flatMap(({ feature }) => feature.answersInstead ?? []),
      findSite,
      storeTime,
      onFault,
      telemetry,
      proxyCheck,
      sendPageError,
      sendPageHead: pages.sendHead,
    });
  let forgottenProxy: string | undefined;
  const onForgotten: OnFault = (message, cause) => {
    forgottenProxy = message;
    onFault(message, cause);
  };
  const processKeys = createProcessKeys({ store, keys, onFault });
  const unknownOrigins = createUnknownOrigins(findSite, onFault);
  const proxyCheckOf = (setting: ProxySetting): ProxyCheck =>
    createProxyCheck({ findSite, onFault: onForgotten, setting, unknownOrigins });
  const koaProxyCheck = proxyCheckOf(koaProxy);
  const handlerProxyCheck = proxyCheckOf(handlerProxy);
  const guardProxyCheck = proxyCheckOf(guardProxy);
  const guardParts = { bearer, findSite, storeTime, catalogue, boundaries, onFault };
  const checks: Checks = {
    methods: (name, methods, own) => checkedMethods(name, methods, own, findSite.note),
    ofSchools: (name, methods, own) => takingOrigins(name, methods, own, findSite),
    method: checked,
  };
  const ofFeatures = added<FeatureMethods>(features.map(({ methods }) => methods?.(parts, checks)));
  const explained = checked(
    'explain',
    args.campus.explain,
    async (given: Site | string, question: ExplainQuestion | ReferenceQuestion) => {
      const site = await schoolAt(findSite, given, 'explain.site');
      if ('reference' in question) return explainReference(parts.log, core.access.explain, site, question);
      return core.access.explain(site, question);
    },
  );
  function explain(given: Site | string, question: ReferenceQuestion): Promise<ExplainedReference>;
  function explain(given: Site | string, question: ExplainQuestion): Promise<Explanation>;
  function explain(given: Site | string, question: ExplainQuestion | ReferenceQuestion): ReturnType<typeof explained> {
    return explained(given, question);
  }
  function guard<A extends ClientAudience>(options?: GuardOptions<A> & { anonymous?: false }): Guard<TokenOf<A>>;
  function guard<A extends ClientAudience>(options?: GuardOptions<A>): Guard<TokenOf<A> | undefined>;
  function guard<A extends ClientAudience>(options?: GuardOptions<A>): Guard<TokenOf<A> | undefined> {
    return frameworkGuard({ ...guardParts, proxyCheck: guardProxyCheck }, options);
  }
  const campus: Campus = {
    middleware: (...given: readonly unknown[]) => {
      refuseArguments('middleware', given);
      return router(koaProxyCheck);
    },
    handler: (handlerOptions) => createNodeHandler(router(handlerProxyCheck), onFault, handlerOptions),
    requireAccess: <A extends ClientAudience>(requirement?: AccessRequirement<A>) =>
      koaGuard({ ...guardParts, proxyCheck: koaProxyCheck }, requirement),
    guard,
    verify: checked('verify', args.campus.verify, async (site, token, accepted = {}) => {
      checkHonours(boundaries, accepted.honours, 'verify.accepted.honours');
      const { proof, method = '', address = '' } = accepted;
      const call = proof === undefined ? undefined : { proof, method, address };
      const at = typeof site === 'string' ? await schoolAt(findSite, site, 'verify.site') : site;
      return accepting((await bearer.verify(at, token, call)).token, accepted);
    }),
    siteOf: checked('siteOf', args.campus.siteOf, createSiteOf({ findSite, koaProxyCheck, guardProxyCheck })),
    scopes: catalogue.rows,
    applications: takingOrigins('applications', applications, args.applications(settings.enabled.known), findSite),
    connections: takingOrigins('connections', connections, args.connections, findSite),
    apps: takingOrigins('apps', apps, args.apps, findSite),
    requests: takingOrigins('requests', requests, args.requests, findSite),
    ...ofFeatures,
    explain,
    health: checked('health', args.campus.health, (asked?: HealthOptions) =>
      healthOf(async () => {
        if (!asked?.write) return store.ping();
        await processKeys.announce();
        return writeAndRemove(store);
      }),
    ),
    diagnose: checked('diagnose', args.campus.diagnose, (asked?: DiagnoseOptions) =>
      diagnose(
        { parts, tools, unusedScopes, processKeys, forgottenProxy: () => forgottenProxy, unknownOrigins },
        asked,
      ),
    ),
    events,
    close: () => {
      const ended = Promise.all([parts.close(), processKeys.withdraw()]).then(() => undefined);
      return withTimeout(ended, closeMilliseconds, () => undefined).catch(() => undefined);
    },
  };
  partsOfCampus.set(campus, parts);
  return campus;
}

const partsOfCampus = new WeakMap<Campus, CampusParts>();

/** What a campus is made from, for `campus-oidc/testing`; `undefined` for what `createCampus` did not return. @internal */
export function partsOf(campus: Campus): CampusParts | undefined {
  return partsOfCampus.get(campus);
}
