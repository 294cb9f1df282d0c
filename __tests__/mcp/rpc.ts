import { connect, type JsonResponse, jsonResponse, type TestClient } from '../helpers/flow.ts';
import type { Schools } from '../helpers/schools.ts';

/** The revisions that the endpoint speaks. */
export const revisions = ['2025-11-25', '2026-07-28'] as const;

/** One of the revisions. */
export type Revision = (typeof revisions)[number];

/** Members of a message to change. */
export type Params = Readonly<Record<string, unknown>>;

/** A message and the headers that go with it, as a client of this revision sends them. */
export interface Message {
  readonly body: Params;
  readonly headers: Record<string, string>;
}

/** A request of a revision. */
export function message(revision: Revision, method: string, params: Params = {}): Message {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': revision,
  };
  if (revision === '2025-11-25') return { body: { jsonrpc: '2.0', id: 1, method, params }, headers };
  const name = params['name'] ?? params['uri'];
  headers['mcp-method'] = method;
  if (typeof name === 'string') headers['mcp-name'] = name;
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return { body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }, headers };
}

/** Posts to `/mcp`. */
export async function post(
  origin: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
): Promise<JsonResponse> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return jsonResponse(await fetch(`${origin}/mcp`, { method: 'POST', headers, body: text }));
}

/** What a test wants of a request. */
export interface RpcOptions {
  readonly revision?: Revision;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request of a revision, with a token or without. */
export async function rpc(
  origin: string,
  method: string,
  params: Params = {},
  { revision = '2025-11-25', token, headers = {} }: RpcOptions = {},
): Promise<JsonResponse> {
  const sent = message(revision, method, params);
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return post(origin, sent.body, { ...sent.headers, ...authorization, ...headers });
}

/** Calls a tool. */
export function callTool(
  origin: string,
  name: string,
  args: Params = {},
  options: RpcOptions = {},
): Promise<JsonResponse> {
  return rpc(origin, 'tools/call', { name, arguments: args }, options);
}

/** The names of the tools that are listed. */
export async function listedNames(origin: string, options: RpcOptions = {}): Promise<string[]> {
  return (await listedTools(origin, options)).map(({ name }) => String(name));
}

/** The tools that are listed. */
export async function listedTools(origin: string, options: RpcOptions = {}): Promise<Params[]> {
  const { body } = await rpc(origin, 'tools/list', {}, options);
  const { tools } = resultOf(body);
  if (!Array.isArray(tools)) throw new Error(`no list of tools: ${JSON.stringify(body)}`);
  return tools;
}

/** The result of a response. */
export function resultOf(body: JsonResponse['body']): Params {
  const { result } = body;
  if (typeof result !== 'object' || result === null) throw new Error(`no result: ${JSON.stringify(body)}`);
  return { ...result };
}

/** The first text of a tool's result. */
export function textOf(body: JsonResponse['body']): string {
  const { content } = resultOf(body);
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  const text: unknown = typeof first === 'object' && first !== null ? Reflect.get(first, 'text') : undefined;
  if (typeof text !== 'string') throw new Error(`no text: ${JSON.stringify(body)}`);
  return text;
}

/** An access token of a person for a client, with these scopes. */
export async function accessToken(
  schools: Schools,
  person: string,
  client: TestClient,
  scope: string = client.scope,
  origin: string = schools.harbour,
): Promise<string> {
  const { body } = await connect(schools.browser(person), origin, client, { scope });
  const { access_token: token } = body;
  if (typeof token !== 'string') throw new Error(`no token: ${JSON.stringify(body)}`);
  return token;
}
