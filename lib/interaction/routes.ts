import { createHmac } from 'node:crypto';
import type { Interaction } from 'oidc-provider';
import type { ConsentPolicy } from '../contracts/consent.ts';
import type { SignedIn } from '../contracts/platform.ts';
import { sameText } from '../digest.ts';
import type { GuardedPlatform } from '../faults.ts';
import { field, readForm } from '../http/body.ts';
import type { Route, RouteCall } from '../http/route.ts';
import { noStore } from '../http/send.ts';
import { type CheckedKeys, siteSecret } from '../keys.ts';
import { consentPage } from '../pages/consent-page.ts';
import { sendPage } from '../pages/layout.ts';
import { messagePage } from '../pages/message-page.ts';
import { paths } from '../paths.ts';
import { EngineCall, withCall } from '../provider/call.ts';
import { clientInfo } from '../clients/metadata.ts';
import type { EngineFinder } from '../provider/registry.ts';
import { isScope, splitScope } from '../scopes.ts';
import { saveGrant } from './grant.ts';
import { judge } from './judge.ts';
import { finishInteraction, openInteraction, requestParameter } from './open.ts';
import { sentToSignIn, signInStep } from './sign-in.ts';

/** What the interaction routes rest on. */
export interface InteractionOptions {
  readonly platform: GuardedPlatform;
  readonly engineOf: EngineFinder;
  readonly consent: readonly ConsentPolicy[];
  readonly keys: CheckedKeys;
  /** Told of every consent. */
  readonly keepUsed: (siteId: string, clientId: string) => Promise<void>;
}

/** One visit to the interaction page. */
interface Visit {
  readonly route: RouteCall;
  readonly call: EngineCall;
  readonly interaction: Interaction;
}

/** Sign-in and consent: where the engine sends a browser when it needs the person. */
export function interactionRoutes(options: InteractionOptions): Route[] {
  const path = `${paths.interaction}/:id`;
  return [{ path, methods: ['GET', 'POST'], kind: 'page', handle: (route) => visit(options, route) }];
}

async function visit(options: InteractionOptions, route: RouteCall): Promise<void> {
  const call = new EngineCall(route.ctx, route.site, options.platform);
  const interaction = await openInteraction(options.engineOf(route.site), call, route.id);
  if (!interaction) return expired(route);
  const here = { route, call, interaction };
  return interaction.prompt.name === 'login' ? signIn(options, here) : consent(options, here);
}

function expired({ ctx, site }: RouteCall): void {
  sendPage(
    ctx,
    site,
    messagePage(
      'This page has expired',
      [
        'The request was answered already, has run out of time, or was started in another browser.',
        'Go back to the application and start again there.',
      ],
      400,
    ),
  );
}

async function signIn({ platform }: InteractionOptions, { route, call, interaction }: Visit): Promise<void> {
  const { ctx, site } = route;
  const next = signInStep(interaction, await call.signedIn());
  if (next.step === 'accept') {
    const { memberId, authTime, amr } = next.signedIn;
    const login = { accountId: memberId, ts: authTime, amr: amr && [...amr] };
    return redirect(route, await finishInteraction(call, interaction, { login }));
  }
  const signInUrl = await platform.signInUrl(ctx, site, `${site.origin}${paths.interaction}/${route.id}`, next.hint);
  if (next.step === 'stale') {
    const text = 'The application asks you to prove again who you are. Sign in once more to go on.';
    return sendPage(ctx, site, messagePage('Sign in again', [text], 403, [{ text: 'Sign in again', href: signInUrl }]));
  }
  await finishInteraction(call, interaction, sentToSignIn);
  return redirect(route, signInUrl);
}

async function consent(options: InteractionOptions, { route, call, interaction }: Visit): Promise<void> {
  const { ctx, site } = route;
  const engine = options.engineOf(site);
  const signedIn = await call.signedIn();
  if (!signedIn) {
    const returnTo = `${site.origin}${paths.interaction}/${route.id}`;
    return redirect(route, await options.platform.signInUrl(ctx, site, returnTo, { fresh: false }));
  }
  if (signedIn.memberId !== interaction.session?.accountId) return personChanged(route, interaction);
  const clientId = requestParameter(interaction, 'client_id');
  const [member, client] = await Promise.all([
    call.member(signedIn.memberId),
    withCall(call, () => engine.provider.Client.find(clientId)),
  ]);
  if (!member || !client) return expired(route);
  const requested = splitScope(requestParameter(interaction, 'scope')).filter(isScope);
  const info = clientInfo(client);
  const judgement = await judge(options.consent, { site, member, client: info, scopes: requested });
  if (judgement.denied && judgement.texts.length === 0) return deny({ route, call, interaction });
  const csrf = csrfToken(options, route, signedIn);
  if (ctx.method !== 'POST') {
    const redirectUri = requestParameter(interaction, 'redirect_uri');
    return sendPage(ctx, site, consentPage({ site, member, client: info, redirectUri, csrf, ...judgement }));
  }
  const form = await readForm(ctx);
  const decision = field(form, 'decision');
  if (!sameText(field(form, 'csrf') ?? '', csrf) || (decision !== 'allow' && decision !== 'deny'))
    return expired(route);
  if (decision === 'deny' || judgement.denied) return deny({ route, call, interaction });
  const refused = requested.filter((scope) => !judgement.scopes.includes(scope));
  const grantId = await saveGrant(engine, call, interaction, {
    memberId: member.id,
    clientId,
    allowed: judgement.scopes,
    refused,
  });
  await options.keepUsed(site.id, clientId);
  return redirect(route, await finishInteraction(call, interaction, { consent: { grantId } }));
}

async function deny({ route, call, interaction }: Visit): Promise<void> {
  const result = { error: 'access_denied', error_description: 'the request was declined' };
  redirect(route, await finishInteraction(call, interaction, result));
}

/** Never an answer for the person who was here before. */
function personChanged({ ctx, site }: RouteCall, interaction: Interaction): void {
  const again = new URL(paths.authorize, site.origin);
  for (const name of Object.keys(interaction.params)) {
    if (name !== 'prompt') again.searchParams.set(name, requestParameter(interaction, name));
  }
  const text =
    'Somebody else has signed in since this request was started. You can go on as the person who is signed in now.';
  sendPage(
    ctx,
    site,
    messagePage('You are signed in as someone else', [text], 403, [{ text: 'Go on', href: again.href }]),
  );
}

function redirect({ ctx }: RouteCall, address: string): void {
  noStore(ctx);
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.status = 303;
  ctx.redirect(address);
}

/** A form is good for one interaction, and for the person that it was shown to. */
function csrfToken({ keys }: InteractionOptions, { id, site }: RouteCall, { memberId }: SignedIn): string {
  const secret = siteSecret(keys.cookies[0] ?? '', site.id, 'consent form');
  return createHmac('sha256', secret).update(`${id}\n${memberId}`).digest('base64url');
}
