import { type JsonMembers, objectOf, objectsOf, textOf } from '../kernel/json.ts';
import type { Answer, Wire } from './wire.ts';

const revision = '2025-11-25';

/** A `WWW-Authenticate: Bearer` challenge. RFC 6750 section 3, RFC 9728 section 5.1. */
export interface Challenge {
  readonly metadata?: string | undefined;
  readonly scopes: readonly string[];
}

type RpcOutcome =
  | { readonly result: JsonMembers; readonly challenge?: undefined }
  | { readonly result?: undefined; readonly status: number; readonly challenge: Challenge; readonly error: string };

/** An MCP endpoint as a client uses it. MCP 2025-11-25: Streamable HTTP; Lifecycle. */
export interface McpEndpoint {
  /** `initialize`, the notification, and `tools/list`: the names of the tools. */
  open(token: string | undefined): Promise<RpcOutcome & { readonly tools: readonly string[] }>;
  call(token: string, name: string, args: JsonMembers): Promise<RpcOutcome>;
}

export function mcpEndpoint(wire: Wire, address: string, clientName: string): McpEndpoint {
  let lastId = 0;

  async function send(method: string, params: JsonMembers, token: string | undefined): Promise<Answer> {
    const isNotification = method.startsWith('notifications/');
    if (!isNotification) lastId += 1;
    return wire.send({
      request: method,
      url: address,
      headers: {
        accept: 'application/json, text/event-stream',
        ...(method !== 'initialize' && { 'mcp-protocol-version': revision }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: { json: { jsonrpc: '2.0', ...(!isNotification && { id: lastId }), method, params } },
    });
  }

  async function request(method: string, params: JsonMembers, token: string | undefined): Promise<RpcOutcome> {
    const { status, headers, body } = await send(method, params, token);
    if (status === 200 && 'result' in body) return { result: objectOf(body['result']) };
    const error = textOf(body, 'error_description') ?? textOf(objectOf(body['error']), 'message') ?? `status ${status}`;
    return { status, challenge: readChallenge(headers), error };
  }

  return {
    async open(token) {
      const client = { protocolVersion: revision, capabilities: {}, clientInfo: { name: clientName, version: '1' } };
      const opened = await request('initialize', client, token);
      if (!opened.result) return { ...opened, tools: [] };
      await send('notifications/initialized', {}, token);
      const listed = await request('tools/list', {}, token);
      const tools = objectsOf(listed.result ?? {}, 'tools').map((tool) => textOf(tool, 'name') ?? '');
      return { ...listed, tools };
    },
    call: (token, name, args) => request('tools/call', { name, arguments: args }, token),
  };
}

export function readChallenge(headers: Headers): Challenge {
  const header = headers.get('www-authenticate') ?? '';
  if (!/^bearer\b/i.test(header)) return { scopes: [] };
  const pairs = [...header.matchAll(/\b(\w+)="((?:\\.|[^"\\])*)"/g)];
  const parameters = new Map(pairs.map(([, name = '', value = '']) => [name, value.replaceAll(/\\(.)/g, '$1')]));
  return { metadata: parameters.get('resource_metadata'), scopes: words(parameters.get('scope')) };
}

export function words(list: string | undefined): readonly string[] {
  return list?.split(' ').filter((word) => word !== '') ?? [];
}
