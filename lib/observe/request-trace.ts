import { randomUUID } from 'node:crypto';
import { isIPv4, isIPv6, SocketAddress } from 'node:net';
import { requestNotes } from '../kernel/request-time.ts';
import type { AuditActor } from './audit-event.ts';

interface TracedContext {
  readonly ip: string;
  get(header: string): string;
}

const requestIdPattern = /^[\w.:/+=@-]{1,64}$/;
/** W3C Trace Context, version, trace-id and parent-id. */
const traceparentPattern = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-|$)/;

/** The client on which a request acts, with the id of its app. */
export interface TracedClient {
  readonly clientId?: string | undefined;
  readonly app?: string | undefined;
}

/** Whose token it is. */
export interface TokenParties extends TracedClient {
  readonly memberId?: string | undefined;
  readonly connectionId?: string | undefined;
  readonly familyId?: string | undefined;
}

/** What the audit log says of the request that is being handled. Nothing is read until there is an event. */
export class RequestTrace {
  /** The person at a page of ours, once it is known who it is. */
  actor: AuditActor | undefined;
  /** The parties of the access token of the request, once it is verified. */
  token: (() => TokenParties) | undefined;
  /** The client on which a page of ours acts, once the page has looked it up. */
  client: TracedClient | undefined;
  readonly #ctx: TracedContext;
  #requestId: string | undefined;

  constructor(ctx: TracedContext) {
    this.#ctx = ctx;
  }

  get address(): string | undefined {
    return parseAddress(this.#ctx.ip);
  }

  get requestId(): string {
    if (this.#requestId === undefined) {
      const sent = this.#ctx.get('X-Request-Id');
      this.#requestId = requestIdPattern.test(sent) ? sent : randomUUID();
    }
    return this.#requestId;
  }

  get traceId(): string | undefined {
    return traceparentPattern.exec(this.#ctx.get('traceparent'))?.[1];
  }
}

/** The trace of the request that is being handled; `undefined` outside of requests. */
export function currentTrace(): RequestTrace | undefined {
  const notes = requestNotes();
  return notes instanceof RequestTrace ? notes : undefined;
}

const withPort = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/** An entry of `X-Forwarded-For` in its shortest spelling: no port, brackets or zone, and IPv4 where it is mapped to IPv6. */
export function parseAddress(entry: string): string | undefined {
  // So Node writes the address of an IPv4 connection.
  const ordinary = entry.startsWith('::ffff:') ? entry.slice('::ffff:'.length) : entry;
  if (isIPv4(ordinary)) return ordinary;
  const [, bracketed, dotted] = withPort.exec(entry) ?? [];
  const [plain = ''] = (bracketed ?? dotted ?? entry).split('%', 1);
  if (isIPv4(plain)) return plain;
  if (!isIPv6(plain)) return undefined;
  const { address } = new SocketAddress({ address: plain, family: 'ipv6' });
  const mapped = address.replace(/^::ffff:/, '');
  return isIPv4(mapped) ? mapped : address;
}
