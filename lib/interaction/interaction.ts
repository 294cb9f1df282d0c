import { randomUUID } from 'node:crypto';
import type { AdapterPayload, InteractionResults } from 'oidc-provider';
import { startedAt } from '../core/enabled/enabled.ts';
import { EngineRequest } from '../engine/engine-request.ts';
import { reportRefusal } from '../engine/refusal-events.ts';
import { paths } from '../http/paths.ts';
import type { RouteCall } from '../http/route.ts';
import { epochSeconds } from '../kernel/clock.ts';
import type { AuthorizationRefusal } from '../observe/authorization-refusals.ts';
import type { CsrfBinding } from '../pages/kit/csrf-tokens.ts';
import { type PageBuilder, redirectSeeOther } from '../pages/kit/pages.ts';
import { showEnded } from './ended.ts';
import type { InteractionOptions } from './interaction-options.ts';

const pendingMembers = ['params', 'prompt', 'iat', 'exp', 'returnTo'] as const;

export type PendingInteraction = AdapterPayload & {
  readonly [K in (typeof pendingMembers)[number]]: NonNullable<AdapterPayload[K]>;
};

function isPending(payload: AdapterPayload | undefined): payload is PendingInteraction {
  const isComplete = payload !== undefined && pendingMembers.every((name) => payload[name] !== undefined);
  return isComplete && Number(payload.exp) > epochSeconds();
}

/** A sign-in or consent that waits for the person, in the browser where it was started. */
export class Interaction {
  readonly options: InteractionOptions;
  readonly route: RouteCall;
  readonly request: EngineRequest;
  /** As it was read. */
  readonly record: PendingInteraction;

  private constructor(
    options: InteractionOptions,
    route: RouteCall,
    request: EngineRequest,
    record: PendingInteraction,
  ) {
    this.options = options;
    this.route = route;
    this.request = request;
    this.record = record;
  }

  /** `undefined` for an interaction that has expired, has ended, or was started in another browser. */
  static async open(options: InteractionOptions, route: RouteCall): Promise<Interaction | undefined> {
    const { ctx, site, id } = route;
    const request = new EngineRequest(ctx, site, options);
    const engine = options.engineOf(site);
    const { cookies } = engine.context(request, ctx.url);
    if (cookies.get(engine.provider.cookieName('interaction'), { signed: true }) !== id) return undefined;
    const found = await request.records.find('Interaction', id);
    return isPending(found) ? new Interaction(options, route, request, found) : undefined;
  }

  /** A parameter of the authorization request that started the interaction; empty when it was not sent. */
  parameter(name: string): string {
    const value = this.record.params[name];
    return typeof value === 'string' ? value : '';
  }

  get decided(): boolean {
    const { result } = this.record;
    return result?.consent !== undefined || result?.error !== undefined;
  }

  /** Sends a page in the language that the application asks for. */
  send(page: PageBuilder): Promise<void> {
    const locales = this.parameter('ui_locales');
    return this.options.pages.send(this.route.ctx, this.route.site, page, locales === '' ? undefined : locales);
  }

  /** Saves the result over the interaction as it was read. Returns `false` if another request has answered it by then. */
  async save(result: InteractionResults): Promise<boolean> {
    const { record, request } = this;
    // The results of earlier prompts of this request stay. If the connection to the store breaks and this write is sent a second
    // time, its name tells it apart from another submission with the same result.
    const results = 'error' in result ? result : { ...record.lastSubmission, ...result };
    // The engine resumes only in the session that the interaction began in; another person has another session.
    const accountId = (await request.signedIn())?.memberId;
    const session = accountId === record.session?.accountId ? record.session : undefined;
    const payload = { ...record, session, result: { ...results, attempt: randomUUID() } };
    const ttl = record.exp - epochSeconds();
    return request.records.save({ kind: 'Interaction', id: this.route.id, payload, ttl });
  }

  /** Says that this request has ended. */
  sendEnded(): Promise<void> {
    const { options, route, request, record } = this;
    return showEnded(options, route, request, record.params);
  }

  /** Reports a refusal that the person has been shown. */
  reportRefused(reason: AuthorizationRefusal): Promise<void> {
    const { request, record, options } = this;
    request.refused = { reason, params: record.params };
    return reportRefusal(options.core.audit.onAudit, request);
  }

  async finish(result: InteractionResults): Promise<void> {
    if (!(await this.save(result))) return this.sendEnded();
    this.resume();
  }

  resume(): void {
    redirectSeeOther(this.route.ctx, this.record.returnTo);
  }

  url(): string {
    return `${this.route.site.origin}${paths.interaction}/${this.route.id}`;
  }

  /** The address that starts the same authorization request again, for the person who is signed in by then. One for a certain person goes on. */
  restartUrl(): string {
    if (this.parameter('id_token_hint') !== '') return this.url();
    // Nothing tells what was entered there: the person enters it again.
    const start = startedAt(this.options.enabled.known, this.record);
    if (start) return `${this.route.site.origin}${start.path}`;
    const url = new URL(paths.authorize, this.route.site.origin);
    for (const name of Object.keys(this.record.params)) url.searchParams.set(name, this.parameter(name));
    return url.href;
  }

  /** Binds a form to one interaction, the person that it is shown to, and what it shows. */
  csrfBinding(memberId: string, shown: string): CsrfBinding {
    return { siteId: this.route.site.id, form: `consent ${this.route.id} ${shown}`, memberId };
  }
}
