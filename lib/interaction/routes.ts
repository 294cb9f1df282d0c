import type { Route, RouteCall } from '../contracts/route.ts';
import { redirectSeeOther } from '../pages/kit/pages.ts';
import { messagePage } from '../pages/kit/error-page.ts';
import { paths } from '../protocol/paths.ts';
import { EngineRequest } from '../provider/engine-request.ts';
import { consent } from './consent.ts';
import { finishInteraction, openInteraction } from './open.ts';
import { sentToSignIn, signInStep } from './sign-in.ts';
import { expiredPage, type InteractionOptions, InteractionContext } from './interaction-context.ts';

/** Sign-in and consent: where the engine redirects a browser when it needs the person. */
export function interactionRoutes(options: InteractionOptions): Route[] {
  const path = `${paths.interaction}/:id`;
  return [{ path, methods: ['GET', 'POST'], kind: 'page', handle: (route) => interact(options, route) }];
}

async function interact(options: InteractionOptions, route: RouteCall): Promise<void> {
  const request = new EngineRequest(route.ctx, route.site, options.platform);
  const interaction = await openInteraction(options.engineOf(route.site), request, route.id);
  if (!interaction) return options.pages.send(route.ctx, route.site, expiredPage);
  const context = new InteractionContext(route, request, interaction, options.pages);
  return interaction.prompt.name === 'login' ? signIn(options, context) : consentOfSignedIn(options, context);
}

async function signIn({ platform }: InteractionOptions, context: InteractionContext): Promise<void> {
  const { route, request, interaction } = context;
  const { ctx, site } = route;
  const next = signInStep(interaction, await request.signedIn());
  if (next.step === 'accept') {
    const { memberId, authTime, amr } = next.signedIn;
    const login = { accountId: memberId, ts: authTime, amr: amr && [...amr] };
    return redirectSeeOther(ctx, await finishInteraction(request, interaction, { login }));
  }
  const signInUrl = await platform.signInUrl(ctx, site, context.url(), next.hint);
  if (next.step === 'stale') {
    const action = { text: 'signIn.again.button', href: signInUrl } as const;
    return context.send(
      messagePage({ title: 'signIn.again.title', texts: ['signIn.again.text'], status: 403, action }),
    );
  }
  await finishInteraction(request, interaction, sentToSignIn);
  return redirectSeeOther(ctx, signInUrl);
}

async function consentOfSignedIn(options: InteractionOptions, context: InteractionContext): Promise<void> {
  const { ctx, site } = context.route;
  const signedIn = await context.request.signedIn();
  if (!signedIn)
    return redirectSeeOther(ctx, await options.platform.signInUrl(ctx, site, context.url(), { fresh: false }));
  if (signedIn.memberId !== context.interaction.session?.accountId) return personChanged(context);
  return consent(options, context, signedIn);
}

/** The interaction belongs to the person who started it; another one starts the request again. */
function personChanged(context: InteractionContext): void {
  const action = { text: 'person.changed.button', href: context.restartUrl() } as const;
  context.send(messagePage({ title: 'person.changed.title', texts: ['person.changed.text'], status: 403, action }));
}
