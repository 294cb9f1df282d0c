import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { approve, terminal, withDevices } from '../features/device/devices.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { accessTools } from '../mcp/tools.ts';
import { emptyProject, type Project } from './project.ts';

// npm takes its time on a slow machine.
jest.setTimeout(300_000);

/** The app answers `initialize` only once a person has approved it: the limit of the test is the one that counts. */
const patient = { timeout: 2 ** 31 - 1 };

let project: Project;
let schools: Schools;
beforeAll(async () => {
  project = emptyProject();
  schools = await startSchools({ campus: withDevices, mcp: { tools: accessTools } });
  await project.install('mcp-remote@0.15.1');
});
afterAll(async () => {
  await schools.close();
  project.remove();
});

/** An app that was started; `ended` once it writes no more. */
interface Running {
  readonly client: Client;
  /** The links that it showed so far. */
  readonly links: readonly string[];
  readonly ended: Promise<void>;
}

async function stop({ client, ended }: Running): Promise<void> {
  await client.close();
  await ended;
}

const running: Running[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(stop));
  expect(schools.faults).toEqual([]);
});

/**
 * Starts `mcp-remote --device-code` as an assistant does, and connects. When the app shows a link, Sam enters its code.
 *
 * @throws Error with what the app wrote, when it does not connect
 */
async function connect(): Promise<Running> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      join(project.path, 'node_modules/mcp-remote/dist/proxy.js'),
      `${schools.harbour}/mcp/member`,
      '--device-code',
      '--static-oauth-client-info',
      JSON.stringify({ client_id: terminal.clientId }),
    ],
    env: { ...getDefaultEnvironment(), HOME: project.path, MCP_REMOTE_CONFIG_DIR: join(project.path, 'config') },
    stderr: 'pipe',
  });
  const lines: string[] = [];
  const links: string[] = [];
  const follow = async (): Promise<void> => {
    if (!(transport.stderr instanceof Readable)) throw new Error('what the app writes cannot be read');
    for await (const line of createInterface({ input: transport.stderr })) {
      lines.push(line);
      const [link, userCode] = /http\S+\?user_code=(\S+)/.exec(line) ?? [];
      if (link === undefined || userCode === undefined) continue;
      links.push(link);
      const { html } = await approve(schools.browser('sam'), { origin: schools.harbour, userCode });
      expect(html).toContain('Your device is connected');
    }
  };
  const client = new Client({ name: 'assistant', version: '1' });
  const app = { client, links, ended: follow() };
  running.push(app);
  const connected = client.connect(transport, patient);
  await Promise.race([connected, app.ended.then(() => connected)]).catch((cause: unknown) => {
    throw new Error(`mcp-remote does not connect:\n${lines.join('\n')}`, { cause });
  });
  return app;
}

test('mcp-remote --device-code connects once a person has entered its code, and later without one', async () => {
  const first = await connect();
  expect(first.links).toEqual([
    expect.stringMatching(RegExp(`^${schools.harbour}/oauth/device\\?user_code=[A-Z]{4}-[A-Z]{4}$`)),
  ]);
  const { tools } = await first.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['open', 'any_token', 'inbox']);
  const who = { member: 'sam', client: terminal.clientId, site: 'harbour' };
  expect((await first.client.callTool({ name: 'inbox' })).structuredContent).toEqual(who);
  await stop(first);

  const second = await connect();
  expect((await second.client.callTool({ name: 'inbox' })).structuredContent).toEqual(who);
  expect(second.links).toEqual([]);
});
