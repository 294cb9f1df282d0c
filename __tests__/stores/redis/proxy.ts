import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../../helpers/free-port.ts';

/** What the proxy does with the traffic. */
export type ProxyMode =
  /** Everything passes. */
  | 'pass'
  /** What the client sends is held back until the mode changes. */
  | 'stall'
  /** Commands reach Redis, but the connection breaks instead of a reply. */
  | 'lose replies'
  /** Commands do not reach Redis; the reply to each is this error. */
  | { readonly reply: string };

/** A TCP proxy in front of Redis that records commands and simulates faults. */
export class RedisProxy {
  /** Every command, its name in upper case, with its arguments. */
  readonly commands: string[][] = [];
  /** The number of round trips: how often something was sent after a reply had arrived. */
  trips = 0;
  #mode: ProxyMode = 'pass';
  #server: Server | undefined;
  readonly port: number;
  readonly #target: number;
  readonly #pairs = new Set<Pair>();

  private constructor(port: number, target: number) {
    this.port = port;
    this.#target = target;
  }

  /** Starts one on a free port. */
  static async start(target: number): Promise<RedisProxy> {
    const proxy = new RedisProxy(await freePort(), target);
    await proxy.listen();
    return proxy;
  }

  /** Deletes the recorded commands. */
  forget(): void {
    this.commands.length = 0;
    this.trips = 0;
  }

  set mode(mode: ProxyMode) {
    this.#mode = mode;
    for (const pair of this.#pairs) pair.flush();
  }

  get mode(): ProxyMode {
    return this.#mode;
  }

  /** Accepts connections, again on the same port. */
  async listen(): Promise<void> {
    if (this.#server?.listening === true) return;
    const server = createServer((client) => this.#pairs.add(this.#pair(client)));
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    this.#server = server;
  }

  /** Breaks every connection. */
  reset(): void {
    for (const { client } of this.#pairs) client.resetAndDestroy();
  }

  /** Breaks every connection and refuses new ones. */
  async refuse(): Promise<void> {
    const closed = new Promise((done) => this.#server?.close(done));
    this.reset();
    await closed;
  }

  #pair(client: Socket): Pair {
    const pair = new Pair(this, client, connect(this.#target, '127.0.0.1'));
    client.once('close', () => this.#pairs.delete(pair));
    return pair;
  }
}

/** A connection of the client with its connection to Redis. */
class Pair {
  readonly client: Socket;
  readonly #proxy: RedisProxy;
  readonly #redis: Socket;
  #unread = Buffer.alloc(0);
  #held: Buffer[] = [];
  #replied = true;

  constructor(proxy: RedisProxy, client: Socket, redis: Socket) {
    this.client = client;
    this.#proxy = proxy;
    this.#redis = redis;
    client.on('data', (bytes) => this.#sent(Buffer.from(bytes)));
    redis.on('data', (bytes) => this.#reply(Buffer.from(bytes)));
    client.on('error', () => {}).once('close', () => redis.destroy());
    redis.on('error', () => {}).once('close', () => client.destroy());
  }

  /** Sends what was held back, unless the mode is still `stall`. */
  flush(): void {
    if (this.#proxy.mode === 'stall') return;
    for (const bytes of this.#held) this.#redis.write(bytes);
    this.#held = [];
  }

  #sent(bytes: Buffer): void {
    const { mode } = this.#proxy;
    const commands = this.#parse(bytes);
    this.#proxy.commands.push(...commands);
    if (this.#replied) this.#proxy.trips += 1;
    this.#replied = false;
    if (typeof mode === 'object') this.client.write(commands.map(() => `-${mode.reply}\r\n`).join(''));
    else if (mode === 'stall') this.#held.push(bytes);
    else this.#redis.write(bytes);
  }

  #reply(bytes: Buffer): void {
    this.#replied = true;
    if (this.#proxy.mode === 'lose replies') this.client.resetAndDestroy();
    else this.client.write(bytes);
  }

  /** Commands are arrays of strings: `*2 $3 GET $1 a`, each part on its own line. */
  #parse(bytes: Buffer): string[][] {
    this.#unread = Buffer.concat([this.#unread, bytes]);
    const commands: string[][] = [];
    for (;;) {
      const command = readCommand(this.#unread);
      if (!command) return commands;
      commands.push(command.words);
      this.#unread = this.#unread.subarray(command.length);
    }
  }
}

function readCommand(bytes: Buffer): { readonly words: string[]; readonly length: number } | undefined {
  let at = 0;
  const line = (): string | undefined => {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const text = bytes.toString('latin1', at, end);
    at = end + 2;
    return text;
  };
  const count = Number(line()?.slice(1));
  const words: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const length = Number(line()?.slice(1));
    if (Number.isNaN(length) || at + length + 2 > bytes.length) return undefined;
    words.push(bytes.toString('utf8', at, at + length));
    at += length + 2;
  }
  const [name] = words;
  if (name === undefined) return undefined;
  words[0] = name.toUpperCase();
  return { words, length: at };
}
