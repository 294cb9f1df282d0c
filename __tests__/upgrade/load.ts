import {
  connect,
  introspect,
  type JsonResponse,
  jsonResponse,
  refresh,
  revokeToken,
  type TestClient,
  userinfo,
} from '../helpers/flow.ts';
import { Browser } from '../helpers/browser.ts';

/** A person with a client, who is connected since the beginning and never loses it. */
interface Visitor {
  readonly person: string;
  readonly client: TestClient;
}

/** Visitors who do everything again and again. */
export interface Load {
  readonly failures: readonly string[];
  /** Resolves when every visitor has done everything once, from now on. */
  round(): Promise<void>;
  stop(): Promise<void>;
}

export async function startLoad(origin: string, visitors: readonly Visitor[]): Promise<Load> {
  const failures: string[] = [];
  const check = (what: string, response: JsonResponse, status: number): JsonResponse => {
    if (response.status !== status) failures.push(`${what}: ${response.status} ${JSON.stringify(response.body)}`);
    return response;
  };
  const rounds = visitors.map(() => 0);
  let changed = Promise.withResolvers<void>();
  const running = new Set(visitors);

  const visit = async ({ person, client }: Visitor, token: unknown): Promise<unknown> => {
    const what = `${person} at ${client.id}`;
    const { body } = check(`${what} refreshes`, await refresh(origin, client, token), 200);
    check(`${what} uses`, await userinfo(origin, body['access_token']), 200);
    if (client.secret !== undefined) {
      const { body: seen } = await introspect(origin, client, body['access_token']);
      if (seen['active'] !== true) failures.push(`${what} introspects: ${JSON.stringify(seen)}`);
    }
    const device = check(`${what} connects`, await connect(new Browser({ person }), origin, client), 200).body;
    check(`${what} uses a device`, await userinfo(origin, device['access_token']), 200);
    check(`${what} revokes`, await revokeToken(origin, client, device['refresh_token']), 200);
    check(`${what} has revoked`, await userinfo(origin, device['access_token']), 401);
    return body['refresh_token'];
  };
  const keepVisiting = async (visitor: Visitor, i: number): Promise<void> => {
    let { refresh_token: token } = (await connect(new Browser({ person: visitor.person }), origin, visitor.client))
      .body;
    while (running.has(visitor)) {
      try {
        token = await visit(visitor, token);
      } catch (error) {
        failures.push(String(error));
      }
      rounds[i] = (rounds[i] ?? 0) + 1;
      changed.resolve();
      changed = Promise.withResolvers();
    }
  };
  const all = visitors.map(keepVisiting);
  return {
    failures,
    round: async () => {
      const before = [...rounds];
      // The first may have begun before.
      while (rounds.some((now, i) => now < (before[i] ?? 0) + 2)) await changed.promise;
    },
    stop: async () => {
      running.clear();
      await Promise.all(all);
    },
  };
}

/** A client that registers itself. */
export async function register(origin: string): Promise<TestClient> {
  const redirectUri = 'http://127.0.0.1:49152/callback';
  const { body } = await jsonResponse(
    await fetch(`${origin}/api/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [redirectUri] }),
    }),
  );
  return { id: String(body['client_id']), redirectUri, scope: 'openid profile' };
}
