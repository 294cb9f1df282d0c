import { type Approve, type Authorizing, authorize, refresh, type Tokens } from './authorization.ts';
import { becomeClient, type Client } from './client.ts';
import { type Discovery, findResource, findServer } from './discovery.ts';
import { type JsonMembers, textsOf } from '../kernel/json.ts';
import { type Challenge, type McpEndpoint, mcpEndpoint, words } from './mcp.ts';
import { pageFetch } from './page-fetch.ts';
import type { ClientBehaviour, SimulatedClient } from './simulated-client.ts';
import { createWire, type Step, Stopped, type Wire } from './wire.ts';

export interface InstallationOptions {
  /** What the person types, for example `https://harbour.example/mcp/operator`. */
  readonly address: string;
  readonly approve: Approve;
  /** The client that an operator created for this app. @default what the app does on its own */
  readonly client?: Client | undefined;
  /** @default the global `fetch` */
  readonly fetch?: typeof fetch | undefined;
}

/** An app as one person has installed it. Each method throws `Stopped` where the app gives up. */
export interface Installation {
  readonly steps: readonly Step[];
  /** The tools that it has seen. */
  readonly tools: readonly string[];
  /** Undefined before it has signed in. */
  readonly signedIn: { readonly clientId: string; readonly scope: string } | undefined;
  connect(): Promise<void>;
  /** Opens the endpoint with the token that it has. */
  listTools(): Promise<void>;
  callTool(name: string, args?: JsonMembers): Promise<JsonMembers>;
  refresh(): Promise<void>;
}

export function install(app: SimulatedClient, options: InstallationOptions): Installation {
  const { address, fetch: fetchFrom = fetch } = options;
  const wire = createWire(app.page === undefined ? fetchFrom : pageFetch(fetchFrom, app.page));
  const mcp = mcpEndpoint(wire, address, app.name);
  let session: { readonly authorizing: Authorizing; readonly tokens: Tokens } | undefined;
  let tools: readonly string[] = [];

  function running(): NonNullable<typeof session> {
    if (!session) throw new Stopped('it has not signed in');
    return session;
  }

  async function listTools(): Promise<void> {
    const opened = await mcp.open(running().tokens.access);
    if (!opened.result) throw new Stopped(`the endpoint refused the token: ${opened.error}`);
    tools = opened.tools;
  }

  return {
    steps: wire.steps,
    listTools,
    get tools() {
      return tools;
    },
    get signedIn() {
      return session && { clientId: session.authorizing.client.id, scope: session.tokens.scope };
    },
    async connect() {
      const challenge = await firstChallenge(app.behaviour, wire, mcp, address);
      const resource = await findResource(wire, app.behaviour, address, challenge);
      const discovery = await findServer(wire, address, resource);
      const scopes = scopesToAsk(app.behaviour, discovery, challenge);
      const client = options.client ?? (await becomeClient(wire, app, discovery, scopes));
      const authorizing = { wire, app, address, discovery, client, approve: options.approve };
      session = { authorizing, tokens: await authorize(authorizing, scopes) };
      await listTools();
    },
    async callTool(name, args = {}) {
      if (!tools.includes(name)) throw new Stopped(`the tool ${name} is not listed, so it is never called`);
      const { authorizing, tokens } = running();
      const first = await mcp.call(tokens.access, name, args);
      if (first.result) return first.result;
      const next = first.status === 403 ? await stepUp(authorizing, tokens, first.challenge) : undefined;
      if (!next) throw new Stopped(`the call of ${name} was refused: ${first.error}`);
      session = { authorizing, tokens: next };
      const second = await mcp.call(next.access, name, args);
      if (second.result) return second.result;
      throw new Stopped(`the call of ${name} was refused again: ${second.error}`);
    },
    async refresh() {
      const { authorizing, tokens } = running();
      session = { authorizing, tokens: await refresh(authorizing, tokens) };
    },
  };
}

/** Waits for a 401 if the app does. */
async function firstChallenge(
  { start, lookups }: ClientBehaviour,
  wire: Wire,
  mcp: McpEndpoint,
  address: string,
): Promise<Challenge | undefined> {
  if (start === 'login') return undefined;
  if (start === 'metadata') {
    const anyResource = { lookups, compare: 'none', mismatch: 'ignore' } as const;
    if (await findResource(wire, anyResource, address, undefined)) return undefined;
  }
  const opened = await mcp.open(undefined);
  if (opened.result) throw new Stopped('it was served without a token, so it never signs in');
  if (opened.status !== 401) throw new Stopped(`the endpoint answered ${opened.status}: ${opened.error}`);
  return opened.challenge;
}

function scopesToAsk(
  { scopes }: ClientBehaviour,
  { resource, server }: Discovery,
  challenge: Challenge | undefined,
): readonly string[] {
  const lists = {
    challenge: challenge?.scopes ?? [],
    resource: resource ? textsOf(resource, 'scopes_supported') : [],
    server: textsOf(server, 'scopes_supported'),
  };
  const groups = scopes.map((sources) => [...new Set(sources.flatMap((source) => lists[source]))]);
  return groups.find((group) => group.length > 0) ?? [];
}

/** The tokens after a 403, or nothing if the app does not try. */
async function stepUp(authorizing: Authorizing, tokens: Tokens, { scopes }: Challenge): Promise<Tokens | undefined> {
  const { stepUp: behaviour } = authorizing.app.behaviour;
  if (behaviour === 'none') return undefined;
  if (behaviour === 'refresh') return refresh(authorizing, tokens);
  return authorize(authorizing, behaviour === 'union' ? [...new Set([...words(tokens.scope), ...scopes])] : scopes);
}
