import { type JsonMembers, parseObject } from '../../lib/kernel/json.ts';

/** `fetch` to a server that differs from ours: JSON responses at paths that match have other members. */
export function changedFetch(path: RegExp, change: (body: JsonMembers) => JsonMembers | undefined): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const url = new URL(input instanceof Request ? input.url : input);
    if (!path.test(url.pathname)) return response;
    const body = change(parseObject(await response.text()));
    if (body === undefined) return Response.json({ error: 'not_found' }, { status: 404 });
    return Response.json(body, { status: response.status, headers: response.headers });
  };
}

export const resourceMetadata = /^\/\.well-known\/oauth-protected-resource/;
export const serverMetadata = /^\/\.well-known\/(?:oauth-authorization-server|openid-configuration)/;
