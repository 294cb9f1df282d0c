import { Agent, get, request } from 'node:http';
import type { LoadReport } from './comparison.ts';

/** Messages without a token, as large as somebody may make them. */
const floods = {
  none: undefined,
  '1 MiB, 80,000 members': initialize(80_000, ''),
  '60 KiB, 950 members': initialize(475, 'x'.repeat(105)),
};

/** Which messages flood the endpoint of tools. */
export type Flood = keyof typeof floods;

/** Messages a second: ten times what once stopped a process. */
const rate = 30;
/** Requests of discovery a second. They do not wait for each other, so that a process that is busy shows in the median. */
const samples = 100;

export const floodNames: readonly Flood[] = ['1 MiB, 80,000 members', '60 KiB, 950 members'];

function initialize(members: number, padding: string): string {
  const value = padding === '' ? {} : { padding };
  const experimental = Object.fromEntries(Array.from({ length: members }, (_, i) => [`m${i}`, value]));
  const clientInfo = { name: 'flood', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: { experimental }, clientInfo };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
}

/** Asks for discovery while messages flood the endpoint of tools, and reports how long that took. */
export async function measureDiscovery(mcp: string, flood: Flood, seconds: number): Promise<LoadReport> {
  const discovery = new URL('/.well-known/openid-configuration', mcp);
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const sent: Promise<void>[] = [];
  let failed = 0;
  const ask = (): void => {
    const start = performance.now();
    get(discovery, { agent }, (response) => {
      if (response.statusCode !== 200) failed += 1;
      response.resume().on('end', () => times.push(performance.now() - start));
    }).on('error', () => (failed += 1));
  };
  const body = floods[flood];
  const stop = every(samples, ask);
  const stopFlood = body === undefined ? () => {} : every(rate, () => void sent.push(send(mcp, body)));
  await new Promise((done) => setTimeout(done, seconds * 1000));
  stopFlood();
  stop();
  await Promise.all(sent);
  agent.destroy();
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { rate: times.length / seconds, total: times.length, p50: at(0.5), p99: at(0.99), failed };
}

function every(perSecond: number, call: () => void): () => void {
  const timer = setInterval(call, 1000 / perSecond);
  return () => clearInterval(timer);
}

/** Resolves with a response, whatever it is: a message that is too large is refused, and its connection broken. */
function send(mcp: string, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return new Promise((done) => {
    request(mcp, { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) } }, (response) => {
      response.resume().on('close', done);
    })
      .on('error', () => done())
      .end(body);
  });
}
