import type { Route, RouteCall } from '../contracts/route.ts';
import { redirectSeeOther } from '../pages/kit/redirect.ts';
import { messagePage } from '../pages/kit/message-page.ts';
import { paths } from '../protocol/paths.ts';
import { EngineRequest } from '../provider/engine-request.ts';
import { consent } from './consent.ts';
import { finishInteraction, openInteraction } from './open.ts';
import { sentToSignIn, signInStep } from './sign-in.ts';
import { expiredPage, type InteractionOptions, InteractionContext } from './interaction-context.ts';

/** Sign-in and consent: where the engine sends a browser when it needs the person. */
export function interactionRoutes(options: InteractionOptions): Route[] {
  const path = `${paths.interaction}/:id`;
  return [{ path, methods: ['GET', 'POST'], kind: 'page', handle: (route) => visit(options, route) }];
}

async function visit(options: InteractionOptions, route: RouteCall): Promise<void> {
  const call = new EngineRequest(route.ctx, route.site, options.platform);
  const interaction = await openInteraction(options.engineOf(route.site), call, route.id);
  if (!interaction) return options.pages.send(route.ctx, route.site, expiredPage);
  const here = new InteractionContext(route, call, interaction, options.pages);
  return interaction.prompt.name === 'login' ? signIn(options, here) : whoConsents(options, here);
}

async function signIn({ platform }: InteractionOptions, here: InteractionContext): Promise<void> {
  const { route, call, interaction } = here;
  const { ctx, site } = route;
  const next = signInStep(interaction, await call.signedIn());
  if (next.step === 'accept') {
    const { memberId, authTime, amr } = next.signedIn;
    const login = { accountId: memberId, ts: authTime, amr: amr && [...amr] };
    return redirectSeeOther(ctx, await finishInteraction(call, interaction, { login }));
  }
  const signInUrl = await platform.signInUrl(ctx, site, here.here(), next.hint);
  if (next.step === 'stale') {
    const action = { text: 'signIn.again.button', href: signInUrl } as const;
    return here.send(messagePage({ title: 'signIn.again.title', texts: ['signIn.again.text'], status: 403, action }));
  }
  await finishInteraction(call, interaction, sentToSignIn);
  return redirectSeeOther(ctx, signInUrl);
}

async function whoConsents(options: InteractionOptions, here: InteractionContext): Promise<void> {
  const { ctx, site } = here.route;
  const signedIn = await here.call.signedIn();
  if (!signedIn)
    return redirectSeeOther(ctx, await options.platform.signInUrl(ctx, site, here.here(), { fresh: false }));
  if (signedIn.memberId !== here.interaction.session?.accountId) return personChanged(here);
  return consent(options, here, signedIn);
}

/** Never an answer for the person who was here before. */
function personChanged(here: InteractionContext): void {
  const action = { text: 'person.changed.button', href: here.again() } as const;
  here.send(messagePage({ title: 'person.changed.title', texts: ['person.changed.text'], status: 403, action }));
}
