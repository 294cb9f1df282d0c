import { stringify } from 'node:querystring';
import type { errors, KoaContextWithOIDC } from 'oidc-provider';
import { clientInfo } from '../../core/clients/client-metadata.ts';
import type { HostPlatform } from '../../host/checked-platform.ts';
import type { Route, RouteCall } from '../../http/route.ts';
import { field, readForm } from '../../http/body.ts';
import {
  codePage,
  confirmDevicePage,
  connectedDevicePage,
  type DevicePage,
  type CodeProblem,
  refusedDevicePage,
} from './pages.ts';
import { grantIdOf } from '../../records/codec.ts';
import { errorPage, forbiddenPage } from '../../pages/kit/error-page.ts';
import { type PageBuilder, type Pages, redirectSeeOther } from '../../pages/kit/pages.ts';
import { OAuthError } from '../../kernel/errors.ts';
import { ownEntry } from '../../kernel/own-entry.ts';
import { deviceInfoOf } from './code-storage.ts';
import { deviceGrantType } from './grant.ts';
import { devicePaths } from './names.ts';
import type { DevicePages } from './engine-part.ts';
import { plainUserCode } from './user-code.ts';
import { toOAuthError } from '../../engine/engine-errors.ts';
import type { AuthorizationRefusal } from '../../observe/authorization-refusals.ts';
import { reportingRefusal } from '../../engine/refusal-events.ts';
import { EngineRequest, requestOf } from '../../engine/engine-request.ts';
import { joinPlatformSession } from '../../engine/sign-in.ts';
import { runEngine, send } from '../../engine/routes.ts';
import { expiredPage } from '../../interaction/ended.ts';
import type { InteractionOptions } from '../../interaction/interaction-options.ts';

/** What was typed, which a page with a problem shows again. */
const typedCodes = new WeakMap<EngineRequest, string>();

/** The pages on which a person enters and confirms the code of a device: for those who are signed in. RFC 8628 section 3.3. */
export function deviceRoutes(options: InteractionOptions): Route[] {
  const handle = (call: RouteCall): Promise<void> => {
    const request = new EngineRequest(call.ctx, call.site, options, { hasForm: true });
    return reportingRefusal(options.core.audit.onAudit, request, 'person', () => serve(options, request, call));
  };
  return [
    { path: devicePaths.page, methods: ['GET', 'POST'], kind: 'page', acts: true, handle },
    { path: `${devicePaths.page}/:id`, methods: ['GET'], kind: 'page', acts: true, handle },
  ];
}

async function serve(options: InteractionOptions, request: EngineRequest, { ctx, site, id }: RouteCall): Promise<void> {
  const { core, pages, engineOf } = options;
  const { platform } = core.host;
  const home = `${site.origin}${devicePaths.page}`;
  const returnUrl = `${home}${id === '' ? ctx.search : ''}`;
  const signedIn = await request.signedIn();
  // Nobody guesses codes without an account.
  if (!signedIn)
    return redirectSeeOther(ctx, await platform.signInUrl(ctx, site, returnUrl, { reauthenticate: false }));
  const member = await request.member(signedIn.memberId);
  if (!member || core.access.rights(member, 'member') !== 'permitted') {
    const switchAccountUrl = await platform.signInUrl(ctx, site, returnUrl, { reauthenticate: true });
    request.refused = { reason: 'no_access', params: {} };
    return pages.send(ctx, site, forbiddenPage(site, member, 'forbidden.member', { switchAccountUrl }));
  }
  const engine = engineOf(site);
  const { cookies } = engine.context(request, ctx.url);
  const isOpened = ctx.method !== 'POST' && id === '';
  if (!isOpened && cookies.get(engine.provider.cookieName('session'), { signed: true }) === undefined)
    return redirectSeeOther(ctx, home);
  const form = ctx.method === 'POST' ? await readForm(ctx) : undefined;
  const typed = form && field(form, 'user_code');
  if (typed !== undefined) typedCodes.set(request, typed);
  const sent = form && stringify({ ...form, user_code: plainUserCode(typed ?? '') });
  // Without the query: the engine answers a code in it with a form that needs a script.
  send(request, await runEngine(engineOf, request, id === '' ? devicePaths.page : `${devicePaths.page}/${id}`, sent));
}

/** What the engine shows there. */
export function createDevicePages(pages: Pages, platform: HostPlatform, yourApps: string | undefined): DevicePages {
  async function show(ctx: KoaContextWithOIDC, build: (page: DevicePage) => PageBuilder): Promise<void> {
    const request = requestOf(ctx);
    const { site } = request;
    const member = await request.member((await request.signedIn())?.memberId ?? '');
    if (!member) throw new Error('the page of devices is for members');
    const home = `${site.origin}${devicePaths.page}`;
    const switchAccountUrl = await platform.signInUrl(request.ctx, site, home, { reauthenticate: true });
    await pages.send(ctx, site, build({ site, member, switchAccountUrl }));
  }
  return {
    userCodeInputSource: async (ctx, _form, out, error) => {
      await joinPlatformSession(ctx);
      const request = requestOf(ctx);
      await show(ctx, (page) => {
        if (error && request.denied) {
          const text = request.denied.reason === 'no-operator' ? 'forbidden.client' : 'forbidden.member';
          return forbiddenPage(page.site, page.member, text, page);
        }
        if (error?.name === 'AbortedError') return refusedDevicePage(page);
        const problem = error && problemOf(error);
        const reason = ownEntry(codeRefusals, problem ?? '');
        if (reason) request.refused = { reason, params: {} };
        if (error && out && problem === undefined)
          return refusal(ctx, page, toOAuthError(out, error, ctx.status, deviceGrantType.engineTexts ?? {}));
        // The code of a link waits to be sent: the person has to look at it.
        const code = error ? typedCodes.get(request) : request.ctx.query['user_code'];
        return codePage({ ...page, ...formOf(ctx), problem, code: typeof code === 'string' ? code : undefined });
      });
    },
    userCodeConfirmSource: async (ctx, _form, { clientId }, deviceInfo, code) => {
      const metadata = await requestOf(ctx).client(clientId);
      if (!metadata) throw new Error('the engine confirms a client that does not exist');
      const client = clientInfo(metadata);
      const device = deviceInfoOf({ deviceInfo });
      await show(ctx, (page) => confirmDevicePage({ ...page, ...formOf(ctx), ...device, client, code }));
    },
    successSource: (ctx) =>
      show(ctx, (page) => {
        const { clientId = '', clientName = clientId } = ctx.oidc.client ?? {};
        const seen = yourApps && `${yourApps}/${grantIdOf(page.member.id, clientId)}`;
        return connectedDevicePage(page, { clientName, seen });
      }),
  };
}

/** What the engine compares when the form is sent. */
function formOf({ oidc }: KoaContextWithOIDC): { readonly action: string; readonly csrf: string } {
  const state: unknown = oidc.session?.state;
  const csrf = typeof state === 'object' && state !== null && 'secret' in state ? String(state.secret) : '';
  return { action: devicePaths.page, csrf };
}

const problems: Readonly<Partial<Record<string, CodeProblem | undefined>>> = {
  NoCodeError: 'empty',
  NotFoundError: 'unknown',
  ExpiredError: 'unknown',
  AlreadyUsedError: 'used',
  'xsrf token invalid': 'form',
  'could not find device form details': 'form',
};

/** The others only ask the person to fill in the form. */
const codeRefusals: Readonly<Partial<Record<string, AuthorizationRefusal>>> = {
  unknown: 'user_code_unknown',
  used: 'user_code_used',
};

/** What the person can put right. */
function problemOf(error: Error | errors.OIDCProviderError): CodeProblem | undefined {
  const detail = 'error_description' in error ? error.error_description : undefined;
  return ownEntry(problems, error.name) ?? ownEntry(problems, detail ?? '');
}

function refusal(ctx: KoaContextWithOIDC, { site }: DevicePage, error: OAuthError): PageBuilder {
  return error.name === 'InteractionEnded' ? expiredPage : errorPage(error, ctx, { school: site.name });
}
