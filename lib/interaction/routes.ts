import type { Route, RouteCall } from '../contracts/route.ts';
import { messagePage } from '../pages/kit/error-page.ts';
import { redirectSeeOther } from '../pages/kit/pages.ts';
import { paths } from '../protocol/paths.ts';
import { consent } from './consent.ts';
import { expiredPage, InteractionContext, type InteractionOptions } from './interaction-context.ts';
import { signIn } from './sign-in.ts';

/** Sign-in and consent: where the engine redirects a browser when it needs the person. */
export function interactionRoutes(options: InteractionOptions): Route[] {
  const path = `${paths.interaction}/:id`;
  return [{ path, methods: ['GET', 'POST'], kind: 'page', handle: (route) => interact(options, route) }];
}

async function interact(options: InteractionOptions, route: RouteCall): Promise<void> {
  const context = await InteractionContext.open(options, route);
  if (!context) return options.pages.send(route.ctx, route.site, expiredPage);
  return context.interaction.prompt.name === 'consent' ? consentOfSignedIn(context) : signIn(context);
}

async function consentOfSignedIn(context: InteractionContext): Promise<void> {
  const { options, route, request, interaction } = context;
  const { ctx, site } = route;
  const signedIn = await request.signedIn();
  if (!signedIn)
    return redirectSeeOther(ctx, await options.platform.signInUrl(ctx, site, context.url(), { reauthenticate: false }));
  if (signedIn.memberId === interaction.session?.accountId) return consent(context, signedIn.memberId);
  // The interaction belongs to the person who started it; another one starts the request again.
  const action = { text: 'person.changed.button', href: context.restartUrl() } as const;
  return context.send(
    messagePage({ title: 'person.changed.title', texts: ['person.changed.text'], status: 403, action }),
  );
}
