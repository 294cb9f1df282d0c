import { randomUUID } from 'node:crypto';
import type { Interaction } from 'oidc-provider';
import type { BlockCheck } from '../connections/blocks.ts';
import type { ConsentPolicy } from '../contracts/consent.ts';
import type { RouteCall } from '../contracts/route.ts';
import type { HostPlatform } from '../host/platform.ts';
import type { LogoFinder } from '../metadata-documents/logos.ts';
import type { DocumentSeen } from '../metadata-documents/reviews.ts';
import type { CsrfBinding, CsrfTokens } from '../pages/kit/csrf-tokens.ts';
import { messagePage } from '../pages/kit/error-page.ts';
import { type PageBuilder, type Pages, redirectSeeOther } from '../pages/kit/pages.ts';
import { paths } from '../protocol/paths.ts';
import type { ScopeCatalogue } from '../protocol/scopes.ts';
import { InteractionAnswered } from '../provider/adapter.ts';
import { EngineRequest, withEngineRequest } from '../provider/engine-request.ts';
import type { EngineFinder } from '../provider/engine.ts';
import type { RecordStore } from '../records/record-store.ts';
import type { OnAudit } from '../runtime/audit-event.ts';
import type { LostSignInCheck } from './lost-sign-in.ts';

export interface InteractionOptions {
  readonly platform: HostPlatform;
  readonly engineOf: EngineFinder;
  readonly store: Pick<RecordStore, 'find' | 'save' | 'revoke'>;
  readonly grantLifetime: number;
  readonly isBlocked: BlockCheck;
  readonly consent: readonly ConsentPolicy[];
  readonly csrfTokens: CsrfTokens;
  readonly pages: Pages;
  readonly catalogue: ScopeCatalogue;
  readonly onAudit: OnAudit;
  /** Called when no one is signed in. */
  readonly signInLost: LostSignInCheck;
  /** Path of the page of connected apps, if there is one. */
  readonly connectedApps: string | undefined;
  /** Whether tokens read the Member API here. */
  readonly memberApi: boolean;
  /** Called when the consent page of a metadata document is shown. */
  readonly documentSeen: DocumentSeen;
  /** Called for each consent to a metadata document, with the digest of what the person was shown. */
  readonly documentUsed: (clientId: string, digest: string) => Promise<void>;
  /** Finds the logo of a metadata document. */
  readonly findLogo: LogoFinder;
  /** Called for each other consent. */
  readonly extendRegistration: (siteId: string, clientId: string) => Promise<void>;
}

type InteractionResult = NonNullable<Interaction['result']>;

/** One request to the page of an interaction. */
export class InteractionContext {
  readonly options: InteractionOptions;
  readonly route: RouteCall;
  readonly request: EngineRequest;
  readonly interaction: Interaction;

  private constructor(options: InteractionOptions, route: RouteCall, request: EngineRequest, interaction: Interaction) {
    this.options = options;
    this.route = route;
    this.request = request;
    this.interaction = interaction;
  }

  /** `undefined` for an interaction that has expired, has ended, or was started in another browser. */
  static async open(options: InteractionOptions, route: RouteCall): Promise<InteractionContext | undefined> {
    const request = new EngineRequest(route.ctx, route.site, options.platform);
    const engine = options.engineOf(route.site);
    const { provider } = engine;
    const interaction = await withEngineRequest(request, () => {
      const { cookies } = engine.context(request, route.ctx.url);
      const started = cookies.get(provider.cookieName('interaction'), { signed: true });
      return started === route.id ? provider.Interaction.find(route.id) : undefined;
    });
    return interaction && new InteractionContext(options, route, request, interaction);
  }

  /** A parameter of the authorization request that started the interaction; empty when it was not sent. */
  parameter(name: string): string {
    const value = this.interaction.params[name];
    return typeof value === 'string' ? value : '';
  }

  /** Whether the person has allowed or denied already. */
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
  async save(result: InteractionResult): Promise<boolean> {
    const { interaction } = this;
    // The results of earlier prompts of this request stay. The name tells this write, if the connection to the store breaks
    // and it is sent a second time, from that of another submission with the same result.
    const results = 'error' in result ? result : { ...interaction.lastSubmission, ...result };
    interaction.result = { ...results, attempt: randomUUID() };
    // The engine resumes only in the session that the interaction began in; another person has another session.
    const accountId = (await this.request.signedIn())?.memberId;
    if (accountId !== interaction.session?.accountId) interaction.session = undefined;
    try {
      await withEngineRequest(this.request, () => interaction.persist());
      return true;
    } catch (error) {
      if (error instanceof InteractionAnswered) return false;
      throw error;
    }
  }

  /** Saves the result and redirects to the engine, which resumes. */
  async finish(result: InteractionResult): Promise<void> {
    if (!(await this.save(result))) return this.send(expiredPage);
    this.resume();
  }

  /** Redirects to the engine, which goes on with the saved result. */
  resume(): void {
    redirectSeeOther(this.route.ctx, this.interaction.returnTo);
  }

  url(): string {
    return `${this.route.site.origin}${paths.interaction}/${this.route.id}`;
  }

  /** The address that starts the same authorization request again, for the person who is signed in by then. */
  restartUrl(): string {
    const url = new URL(paths.authorize, this.route.site.origin);
    for (const name of Object.keys(this.interaction.params)) url.searchParams.set(name, this.parameter(name));
    return url.href;
  }

  /** Binds a form to one interaction, the person that it is shown to, and the scopes and the document that it shows. */
  csrfBinding(memberId: string, scopes: readonly string[], digest: string = ''): CsrfBinding {
    return { siteId: this.route.site.id, form: `consent ${this.route.id} ${digest} ${scopes.join(' ')}`, memberId };
  }
}

/** For an interaction that has ended or expired. */
export const expiredPage: PageBuilder = messagePage({
  title: 'expired.title',
  texts: ['expired.consent', 'expired.consent.advice'],
  status: 400,
});
