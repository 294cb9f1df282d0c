import type { Interaction } from 'oidc-provider';
import type { ConsentPolicy } from '../contracts/consent.ts';
import type { HostPlatform } from '../host/platform.ts';
import type { RouteCall } from '../contracts/route.ts';
import type { CsrfBinding, CsrfTokens } from '../pages/kit/csrf-tokens.ts';
import { messagePage } from '../pages/kit/message-page.ts';
import type { PageBuilder, Pages } from '../pages/kit/pages.ts';
import { paths } from '../protocol/paths.ts';
import type { EngineRequest } from '../provider/engine-request.ts';
import type { EngineFinder } from '../provider/registry.ts';
import { requestParameter } from './open.ts';

/** What the interaction routes rest on. */
export interface InteractionOptions {
  readonly platform: HostPlatform;
  readonly engineOf: EngineFinder;
  readonly consent: readonly ConsentPolicy[];
  readonly csrfTokens: CsrfTokens;
  readonly pages: Pages;
  /** Whether there is a page of connected apps. */
  readonly connectedApps: boolean;
  /** Told of every consent. */
  readonly extendRegistration: (siteId: string, clientId: string) => Promise<void>;
}

/** One visit to the page of an interaction. */
export class InteractionContext {
  readonly route: RouteCall;
  readonly call: EngineRequest;
  readonly interaction: Interaction;
  readonly #pages: Pages;

  constructor(route: RouteCall, call: EngineRequest, interaction: Interaction, pages: Pages) {
    this.route = route;
    this.call = call;
    this.interaction = interaction;
    this.#pages = pages;
  }

  /** Sends a page in the language that the application asks for. */
  send(page: PageBuilder): void {
    const asked = requestParameter(this.interaction, 'ui_locales');
    this.#pages.send(this.route.ctx, this.route.site, page, asked === '' ? undefined : asked);
  }

  expired(): void {
    this.send(expiredPage);
  }

  /** The address of this page. */
  here(): string {
    return `${this.route.site.origin}${paths.interaction}/${this.route.id}`;
  }

  /** The same authorization request from its beginning, for whoever is signed in by then. */
  again(): string {
    const url = new URL(paths.authorize, this.route.site.origin);
    for (const name of Object.keys(this.interaction.params)) {
      const value = requestParameter(this.interaction, name);
      if (name !== 'prompt') url.searchParams.set(name, value);
      else {
        // A wish for a fresh proof or a new answer stands; prompt=none cannot have led here.
        url.searchParams.set(name, value);
      }
    }
    return url.href;
  }

  /** A form is good for one interaction, for the person that it was shown to, and for the scopes that it showed. */
  form(memberId: string, scopes: readonly string[]): CsrfBinding {
    return { siteId: this.route.site.id, form: `consent ${this.route.id} ${scopes.join(' ')}`, memberId };
  }
}

/** For an interaction that is over. */
export const expiredPage: PageBuilder = messagePage({
  title: 'expired.title',
  texts: ['expired.consent', 'expired.consent.advice'],
  status: 400,
});
