import type { Interaction } from 'oidc-provider';
import type { ConsentPolicy } from '../contracts/consent.ts';
import type { HostPlatform } from '../host/platform.ts';
import type { RouteCall } from '../contracts/route.ts';
import type { CsrfBinding, CsrfTokens } from '../pages/kit/csrf-tokens.ts';
import { messagePage } from '../pages/kit/error-page.ts';
import type { PageBuilder, Pages } from '../pages/kit/pages.ts';
import { paths } from '../protocol/paths.ts';
import type { EngineRequest } from '../provider/engine-request.ts';
import type { EngineFinder } from '../provider/registry.ts';
import { requestParameter } from './open.ts';

export interface InteractionOptions {
  readonly platform: HostPlatform;
  readonly engineOf: EngineFinder;
  readonly consent: readonly ConsentPolicy[];
  readonly csrfTokens: CsrfTokens;
  readonly pages: Pages;
  /** Whether there is a page of connected apps. */
  readonly connectedApps: boolean;
  /** Called for each consent. */
  readonly extendRegistration: (siteId: string, clientId: string) => Promise<void>;
}

/** One request to the page of an interaction. */
export class InteractionContext {
  readonly route: RouteCall;
  readonly request: EngineRequest;
  readonly interaction: Interaction;
  readonly #pages: Pages;

  constructor(route: RouteCall, request: EngineRequest, interaction: Interaction, pages: Pages) {
    this.route = route;
    this.request = request;
    this.interaction = interaction;
    this.#pages = pages;
  }

  /** Sends a page in the language that the application asks for. */
  send(page: PageBuilder): void {
    const locales = requestParameter(this.interaction, 'ui_locales');
    this.#pages.send(this.route.ctx, this.route.site, page, locales === '' ? undefined : locales);
  }

  sendExpired(): void {
    this.send(expiredPage);
  }

  url(): string {
    return `${this.route.site.origin}${paths.interaction}/${this.route.id}`;
  }

  /** The address that starts the same authorization request again, for the person who is signed in by then. */
  restartUrl(): string {
    const url = new URL(paths.authorize, this.route.site.origin);
    for (const name of Object.keys(this.interaction.params)) {
      url.searchParams.set(name, requestParameter(this.interaction, name));
    }
    return url.href;
  }

  /** Binds a form to one interaction, the person that it is shown to and the scopes that it shows. */
  csrfBinding(memberId: string, scopes: readonly string[]): CsrfBinding {
    return { siteId: this.route.site.id, form: `consent ${this.route.id} ${scopes.join(' ')}`, memberId };
  }
}

/** For an interaction that has ended or expired. */
export const expiredPage: PageBuilder = messagePage({
  title: 'expired.title',
  texts: ['expired.consent', 'expired.consent.advice'],
  status: 400,
});
