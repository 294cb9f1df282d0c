import type { Context } from 'koa';
import type { Site } from 'campus-oidc';
import { everyScopeClient, memberClient, operatorClient } from './clients.ts';
import type { DemoTexts } from './texts.ts';

/** Something to try, as a tile of the home page. */
export interface Journey {
  readonly title: keyof DemoTexts;
  readonly about: keyof DemoTexts;
  readonly href: string;
  /** The link changes something, so it is a form. */
  readonly post?: boolean;
}

/** The document of an app that people use. */
const knownDocument = 'https://claude.ai/oauth/claude-code-client-metadata';

/** The static clients of the demo, and applications that operators create, exist at Harbour School only. */
export function journeysOf(school: Site): readonly Journey[] {
  const ask = (clientId: string, scopes: readonly string[]): string => authorizationUrl(school, { clientId, scopes });
  const everywhere: readonly Journey[] = [
    { title: 'localApp', about: 'localAppAbout', href: '/try/local-app', post: true },
    {
      title: 'document',
      about: 'documentAbout',
      href: ask(knownDocument, ['openid', 'courses:read', 'courses:write']),
    },
    { title: 'assistant', about: 'assistantAbout', href: '/mcp/operator' },
    { title: 'yourApps', about: 'yourAppsAbout', href: '/account/apps' },
    { title: 'schoolConnections', about: 'schoolConnectionsAbout', href: '/developers/apps' },
    { title: 'activity', about: 'activityAbout', href: '/developers/apps/activity' },
    { title: 'guide', about: 'guideAbout', href: '/auth.md' },
  ];
  if (!school.connectionsEnabled) return everywhere;
  return [
    { title: 'memberApp', about: 'memberAppAbout', href: ask(memberClient.clientId, memberClient.scopes) },
    { title: 'operatorApp', about: 'operatorAppAbout', href: ask(operatorClient.clientId, operatorClient.scopes) },
    { title: 'everyScope', about: 'everyScopeAbout', href: ask(everyScopeClient.clientId, everyScopeClient.scopes) },
    { title: 'applications', about: 'applicationsAbout', href: '/developers/oauth-applications' },
    ...everywhere,
  ];
}

/** `POST /try/local-app`. Registers a client, as apps on a computer do, and sends the person to authorize it. */
export async function tryLocalApp(ctx: Context, school: Site): Promise<void> {
  const response = await fetch(new URL('/api/oauth/register', school.origin), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: 'Tide Watcher', redirect_uris: [callbackOf(school)] }),
  });
  const registered: { client_id?: string; error_description?: string } = await response.json();
  const { client_id: clientId, error_description: problem = 'no client_id' } = registered;
  if (clientId === undefined) throw new Error(`The registration failed: ${problem}`);
  ctx.status = 303;
  ctx.redirect(authorizationUrl(school, { clientId, scopes: ['openid', 'courses:read', 'courses:write'] }));
}

/**
 * An authorization request, to see the consent page without an application. The challenge has no known verifier, so
 * the code cannot be redeemed. The redirect URI is this demo under a loopback address.
 */
function authorizationUrl(
  school: Site,
  { clientId, scopes }: { readonly clientId: string; readonly scopes: readonly string[] },
): string {
  const url = new URL('/oauth/authorize', school.origin);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callbackOf(school),
    scope: scopes.join(' '),
    resource: school.origin,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    state: 'demo',
  }).toString();
  return url.href;
}

function callbackOf({ origin }: Site): string {
  const url = new URL('/callback', origin);
  url.hostname = '127.0.0.1';
  return url.href;
}
