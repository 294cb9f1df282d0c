import { randomUUID } from 'node:crypto';
import type { AdapterPayload, InteractionResults } from 'oidc-provider';
import type { Context } from 'koa';
import type { ConnectRequests } from '../core/applications/request.ts';
import type { DocumentReviews } from '../core/reviews/document-review.ts';
import type { Site } from '../host/school-platform.ts';
import type { RouteCall } from '../http/route.ts';
import type { ConsentOptions } from '../core/grants/consent.ts';
import type { LogoFinder, DocumentSeen } from '../core/reviews/shown-documents.ts';
import type { AlwaysOpen } from '../pages/kit/always-sees.ts';
import type { CsrfBinding, CsrfTokens } from '../pages/kit/csrf-tokens.ts';
import { answeredPage } from './answered.ts';
import { messagePage } from '../pages/kit/error-page.ts';
import { type PageBuilder, type Pages, redirectSeeOther } from '../pages/kit/pages.ts';
import { startOf } from '../core/offered/offered.ts';
import { paths } from '../http/paths.ts';
import { findPayload, savePayload } from '../engine/engine-records.ts';
import { EngineRequest, type RequestSources } from '../engine/engine-request.ts';
import type { EngineFinder } from '../engine/engine.ts';
import type { AuthorizationRefusal } from '../observe/authorization-refusals.ts';
import { reportRefusal } from '../engine/refusal-events.ts';
import { epochSeconds } from '../kernel/clock.ts';

/** Looks at a browser in which no one is signed in, and which was sent to the sign-in page so many times for this request. */
export type LostSignInCheck = (ctx: Context, visits: number) => void;

/** What a consent to a client whose versions the school decides on shows, approves and notes. */
interface ConsentReviews {
  readonly documents: Pick<DocumentReviews, 'find' | 'approve'>;
  readonly recordShown: DocumentSeen;
  /** Called for each consent to such a client, with the digest of what the person was shown. */
  readonly markUsed: (site: Site, clientId: string, digest: string) => Promise<void>;
  readonly findLogo: LogoFinder;
}

export interface InteractionOptions {
  readonly sources: RequestSources;
  readonly consenting: ConsentOptions;
  readonly engineOf: EngineFinder;
  readonly reviews: ConsentReviews;
  readonly csrfTokens: CsrfTokens;
  readonly pages: Pages;
  readonly signInLost: LostSignInCheck;
  readonly connectedApps: string | undefined;
  /** Where people find what they have asked the school for. */
  readonly requestsPath: string | undefined;
  /** Where administrators decide on apps. */
  readonly connectionsPath: string | undefined;
  /** Asks the school to let a person connect a client. Absent where administrators have no page for it. */
  readonly askToConnect: ConnectRequests['askToConnect'] | undefined;
  readonly open: AlwaysOpen;
  /** Called for each other consent. */
  readonly extendRegistration: (site: Site, clientId: string) => Promise<void>;
}

const pendingMembers = ['params', 'prompt', 'iat', 'exp', 'returnTo'] as const;

export type PendingInteraction = AdapterPayload & {
  readonly [K in (typeof pendingMembers)[number]]: NonNullable<AdapterPayload[K]>;
};

function isPending(payload: AdapterPayload | undefined): payload is PendingInteraction {
  const isComplete = payload !== undefined && pendingMembers.every((name) => payload[name] !== undefined);
  return isComplete && Number(payload.exp) > epochSeconds();
}

export class InteractionContext {
  readonly options: InteractionOptions;
  readonly route: RouteCall;
  readonly request: EngineRequest;
  readonly interaction: PendingInteraction;

  private constructor(
    options: InteractionOptions,
    route: RouteCall,
    request: EngineRequest,
    interaction: PendingInteraction,
  ) {
    this.options = options;
    this.route = route;
    this.request = request;
    this.interaction = interaction;
  }

  /** `undefined` for an interaction that has expired, has ended, or was started in another browser. */
  static async open(options: InteractionOptions, route: RouteCall): Promise<InteractionContext | undefined> {
    const { ctx, site, id } = route;
    const request = new EngineRequest(ctx, site, options.sources);
    const engine = options.engineOf(site);
    const { cookies } = engine.context(request, ctx.url);
    if (cookies.get(engine.provider.cookieName('interaction'), { signed: true }) !== id) return undefined;
    const found = await findPayload(request, options.consenting.store, 'Interaction', id);
    return isPending(found) ? new InteractionContext(options, route, request, found) : undefined;
  }

  /** A parameter of the authorization request that started the interaction; empty when it was not sent. */
  parameter(name: string): string {
    const value = this.interaction.params[name];
    return typeof value === 'string' ? value : '';
  }

  get decided(): boolean {
    const { result } = this.interaction;
    return result?.consent !== undefined || result?.error !== undefined;
  }

  /** Sends a page in the language that the application asks for. */
  send(page: PageBuilder): Promise<void> {
    const locales = this.parameter('ui_locales');
    return this.options.pages.send(this.route.ctx, this.route.site, page, locales === '' ? undefined : locales);
  }

  /** Saves the result over the interaction as it was read. Returns `false` if another request has answered it by then. */
  async save(result: InteractionResults): Promise<boolean> {
    const { interaction, request, options } = this;
    // The results of earlier prompts of this request stay. If the connection to the store breaks and this write is sent a second
    // time, its name tells it apart from another submission with the same result.
    const results = 'error' in result ? result : { ...interaction.lastSubmission, ...result };
    // The engine resumes only in the session that the interaction began in; another person has another session.
    const accountId = (await request.signedIn())?.memberId;
    const session = accountId === interaction.session?.accountId ? interaction.session : undefined;
    const payload = { ...interaction, session, result: { ...results, attempt: randomUUID() } };
    const ttl = interaction.exp - epochSeconds();
    return savePayload(request, options.consenting.store, { kind: 'Interaction', id: this.route.id, payload, ttl });
  }

  /** Says that this request has ended. */
  async sendEnded(): Promise<void> {
    const { options, route, request } = this;
    const answered = await answeredIn(options, route, request);
    if (answered) return this.send(answered);
    await this.send(expiredPage);
    return this.reportRefused('request_ended');
  }

  /** Reports a refusal that the person has been shown. */
  reportRefused(reason: AuthorizationRefusal): Promise<void> {
    const { request, interaction, options } = this;
    request.refused = { reason, params: interaction.params };
    return reportRefusal(options.sources.onAudit, request);
  }

  async finish(result: InteractionResults): Promise<void> {
    if (!(await this.save(result))) return this.sendEnded();
    this.resume();
  }

  resume(): void {
    redirectSeeOther(this.route.ctx, this.interaction.returnTo);
  }

  url(): string {
    return `${this.route.site.origin}${paths.interaction}/${this.route.id}`;
  }

  /** The address that starts the same authorization request again, for the person who is signed in by then. One for a certain person goes on. */
  restartUrl(): string {
    if (this.parameter('id_token_hint') !== '') return this.url();
    // Nothing tells what was entered there: the person enters it again.
    const start = startOf(this.options.sources.offered.known, this.interaction);
    if (start) return `${this.route.site.origin}${start.path}`;
    const url = new URL(paths.authorize, this.route.site.origin);
    for (const name of Object.keys(this.interaction.params)) url.searchParams.set(name, this.parameter(name));
    return url.href;
  }

  /** Binds a form to one interaction, the person that it is shown to, and what it shows. */
  csrfBinding(memberId: string, shown: string): CsrfBinding {
    return { siteId: this.route.site.id, form: `consent ${this.route.id} ${shown}`, memberId };
  }
}

function answeredIn(options: InteractionOptions, route: RouteCall, request: EngineRequest) {
  const { csrfTokens, connectedApps, consenting } = options;
  return answeredPage({ csrfTokens, route, request, store: consenting.store, connectedApps });
}

/** For an interaction that cannot be opened: only a cookie of its page can tell whose it was. */
export async function showEnded(options: InteractionOptions, route: RouteCall): Promise<void> {
  const { pages, sources } = options;
  const { ctx, site } = route;
  const request = new EngineRequest(ctx, site, sources);
  const answered = await answeredIn(options, route, request);
  if (answered) return pages.send(ctx, site, answered);
  await pages.send(ctx, site, expiredPage);
  request.refused = { reason: 'request_ended', params: {} };
  await reportRefusal(sources.onAudit, request);
}

export const expiredPage: PageBuilder = messagePage({
  title: 'expired.title',
  texts: ['expired.consent', 'expired.consent.advice'],
  status: 400,
});
