import type { PersonAudience } from '../../lib/core/clients/client.ts';
import { memberApp, postForm, reports, type TestClient, webMemberApp } from '../helpers/flow.ts';
import type { Schools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

/** A client of some kind, and who may use it. */
export interface ClientOfKind {
  readonly kind: string;
  readonly memberId: string;
  readonly scopes: readonly string[];
  readonly client: (schools: Schools) => Promise<TestClient>;
}

const own = ['openid', 'profile', 'account:read'];
const admin = ['openid', 'courses:read'];

function application(audience: PersonAudience, confidential: boolean): ClientOfKind['client'] {
  return async ({ campus, harbour: origin }) => {
    const redirectUri = 'https://notes.example/callback?from=harbour';
    const scopes =
      audience === 'member' ? (['openid', 'profile', 'account:read'] as const) : (['openid', 'courses:read'] as const);
    const input = { clientName: 'Notes', redirectUris: [redirectUri], audience, confidential, scopes };
    const site = harbourSite(origin);
    const { application: made, clientSecret: secret } = await campus.applications.create(site, input);
    return { id: made.clientId, redirectUri, scope: scopes.join(' '), ...(secret !== undefined && { secret }) };
  };
}

/** Registers over HTTP. */
async function registered({ harbour }: Schools): Promise<TestClient> {
  const redirectUri = 'http://127.0.0.1:51000/callback';
  const response = await fetch(`${harbour}/api/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Course list', redirect_uris: [redirectUri] }),
  });
  const body: { readonly client_id: string } = JSON.parse(await response.text());
  return { id: body.client_id, redirectUri, scope: admin.join(' ') };
}

const document: TestClient = {
  id: 'https://claude.ai/oauth/claude-code-client-metadata',
  redirectUri: 'http://localhost:54213/callback',
  scope: admin.join(' '),
};

/** One of each kind. */
export const clientsOfAllKinds: readonly ClientOfKind[] = [
  { kind: 'a public static client for members', memberId: 'sam', scopes: own, client: async () => memberApp },
  { kind: 'a confidential static client for members', memberId: 'sam', scopes: own, client: async () => webMemberApp },
  {
    kind: 'a confidential static client for operators',
    memberId: 'olivia',
    scopes: admin,
    client: async () => reports,
  },
  { kind: 'a registered client', memberId: 'olivia', scopes: admin, client: registered },
  { kind: 'a metadata document', memberId: 'olivia', scopes: admin, client: async () => document },
  { kind: 'a public application for members', memberId: 'sam', scopes: own, client: application('member', false) },
  { kind: 'a confidential application for members', memberId: 'sam', scopes: own, client: application('member', true) },
  {
    kind: 'a confidential application for operators',
    memberId: 'olivia',
    scopes: admin,
    client: application('operator', true),
  },
];

/** Revokes a token. */
export function revoke(origin: string, { id, secret }: TestClient, token: string): ReturnType<typeof postForm> {
  return postForm(`${origin}/api/oauth/revoke`, { token, client_id: id, client_secret: secret });
}
