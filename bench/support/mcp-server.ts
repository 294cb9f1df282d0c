import type { RequestListener } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { McpServer as McpServerOne } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import * as z from 'zod';
import { memoryStore } from '../../adapters/memory/index.ts';
import { redisStore } from '../../adapters/redis/index.ts';
import { connect, memberApp } from '../../__tests__/helpers/flow.ts';
import { startSchools } from '../../__tests__/helpers/schools.ts';
import { defineTool, type ToolAccess } from '../../lib/mcp/index.ts';
import type { Store } from '../../lib/store.ts';
import { type Contender, countedRedis, onPort, serve } from './contender.ts';

const description = 'Says what it was told.';
const inputSchema = { text: z.string() };
const echo = ({ text }: { text: string }) => ({ content: [{ type: 'text', text } as const] });

/** The listener of the package that ours stands on, as its documentation has it. */
function bareSdk(): RequestListener {
  const handle = toNodeHandler(
    createMcpHandler(() => {
      const server = new McpServer({ name: 'bare', version: '1.0.0' });
      server.registerTool('echo', { description, inputSchema: z.object(inputSchema) }, echo);
      return server;
    }),
  );
  // Its types of optional members do not fit Node's.
  return (...call) => void Reflect.apply(handle, undefined, call);
}

/** That of the version before, without sessions. */
function bareSdkOne(): RequestListener {
  return (req, res) => {
    void (async () => {
      const server = new McpServerOne({ name: 'bare', version: '1.0.0' });
      server.registerTool('echo', { description, inputSchema }, echo);
      const transport = new StreamableHTTPServerTransport({});
      res.on('close', () => void server.close());
      // Its types of optional members do not fit each other.
      await Reflect.apply(Reflect.get(server, 'connect'), server, [transport]);
      await transport.handleRequest(req, res);
    })();
  };
}

/** Ours as it is: Koa, the site, the token, the limits. Only that the limits are far away. */
async function ours(store: Store, access: ToolAccess): Promise<Contender> {
  const far = { perAddress: 1e9, perSite: 1e9 };
  const limits = { anonymousCalls: far, tokenCalls: { perMember: 1e9 } };
  const tool = defineTool({ name: 'echo', description, inputSchema: z.object(inputSchema), access, run: echo });
  const schools = await startSchools({ campus: { store, limits }, mcp: { tools: [tool] } });
  const url = `${schools.harbour}/mcp`;
  if (access === 'public') return { place: { url } };
  const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp);
  return { place: { url, token: String(body['access_token']) } };
}

await serve({
  'bare SDK': () => onPort(bareSdk, '/mcp'),
  'bare SDK, version 1': () => onPort(bareSdkOne, '/mcp'),
  'ours, anonymous': () => ours(redisStore(countedRedis()), 'public'),
  'ours, token': () => ours(redisStore(countedRedis()), { scopes: ['account:read'] }),
  'ours, token, memory': () => ours(memoryStore(), { scopes: ['account:read'] }),
});
