import type { RequestListener } from 'node:http';
import { Redis } from 'ioredis';
import { listen } from '../../__tests__/helpers/server.ts';

/** A contender, listening. */
export interface Contender {
  /** What the load needs to know. */
  readonly place: object;
  /** Does what the benchmark asks for beside load, for example makes codes. */
  readonly tell?: (message: object) => Promise<unknown>;
}

export type Contenders = Readonly<Record<string, () => Promise<Contender>>>;

/** What a process has cost so far. */
export interface ProcessCosts {
  /** Microseconds of the processor. */
  readonly cpu: number;
  /** Commands that it sent to Redis. */
  readonly sent: number;
}

let sent = 0;

/** A client of the benchmark's Redis, whose commands are counted; with the options that we recommend. */
export function countedRedis(enableAutoPipelining = true): Redis {
  const redis = new Redis(process.env['REDIS_URL'] ?? '', { enableAutoPipelining });
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (...args) => {
    sent += 1;
    return send(...args);
  };
  return redis;
}

export async function onPort(listener: () => RequestListener, path: string): Promise<Contender> {
  const { port } = await listen(listener);
  return { place: { url: `http://localhost:${port}${path}` } };
}

/** Runs the contender that the process was started for, and responds to the parent. */
export async function serve(contenders: Contenders): Promise<void> {
  const name = process.argv[2] ?? '';
  const contender = await contenders[name]?.();
  if (!contender) throw new Error(`no contender ${name}`);
  const respond = async (message: object): Promise<unknown> => {
    if (!('ask' in message && message.ask === 'costs')) return contender.tell?.(message);
    const { user, system } = process.cpuUsage();
    return { cpu: user + system, sent } satisfies ProcessCosts;
  };
  process.on('message', (message: object) => void respond(message).then((reply) => process.send?.(reply ?? {})));
  process.on('disconnect', () => process.exit());
  process.send?.(contender.place);
}
