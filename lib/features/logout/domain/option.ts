import type { Context } from 'koa';
import type { MaybePromise, Member, PlatformSession, Site } from '../../../host/school-platform.ts';
import { func, group, type Read, type Shape } from '../../../kernel/option-schemas.ts';

/**
 * Ends the session that `platform.signedInMember` returned, in the browser of this request. For example, it clears the cookie on `ctx`. The
 * person's applications are told afterwards. If it throws or takes longer than 10 seconds, the person gets an error page (503) and stays
 * signed in.
 */
export type EndSession<School extends Site = Site> = (
  ctx: Context,
  site: School,
  session: PlatformSession,
) => MaybePromise<void>;

/** Options of `logout`. */
export interface LogoutOptions<School extends Site = Site> {
  /** Ends the person's session at the school. Called when a person confirms on the page that they want to sign out. */
  readonly endSession: EndSession<School>;
}

/** The option of `createCampus` that switches logout on. */
export interface LogoutOption<School extends Site = Site> {
  /**
   * Logout for applications: the `end_session_endpoint`, and logout tokens for `backchannelLogoutUri`. OpenID Connect RP-Initiated Logout
   * 1.0, OpenID Connect Back-Channel Logout 1.0. @default none
   */
  readonly logout?: LogoutOptions<School> | undefined;
}

/** @internal */
export const logoutOption = {
  logout: group({
    endSession: func<EndSession>().meta({ type: '`EndSession`' }),
  } satisfies Shape<LogoutOptions>).optional(),
};

/** @internal */
export type LogoutSettings = Read<typeof logoutOption>;

declare module '../../../options/options.ts' {
  interface FeatureOptions<School extends Site, Person extends Member> extends LogoutOption<School> {}
  /** @internal */
  interface FeatureSettings extends LogoutSettings {}
}
