import { randomUUID } from 'node:crypto';
import type { AuditActor, AuditEvent } from './audit-event.ts';

/** What is read of a request, when it is needed. */
interface TracedContext {
  readonly ip: string;
  get(header: string): string;
}

const requestIdPattern = /^[\w.:/+=@-]{1,64}$/;
/** W3C Trace Context, version, trace-id and parent-id. */
const traceparentPattern = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-|$)/;

/** What the audit log says of an access token. */
export type TokenParties = Pick<AuditEvent, 'clientId' | 'memberId' | 'connectionId' | 'familyId'>;

/** What the audit log says of the request that is being handled. Nothing is read until there is an event. */
export class RequestTrace {
  /** The person at a page of ours, once it is known who it is. */
  actor: AuditActor | undefined;
  /** The parties of the access token of the request, once it is verified. */
  token: (() => TokenParties) | undefined;
  readonly #ctx: TracedContext;
  #requestId: string | undefined;

  constructor(ctx: TracedContext) {
    this.#ctx = ctx;
  }

  get address(): string | undefined {
    return this.#ctx.ip || undefined;
  }

  get requestId(): string {
    const sent = this.#ctx.get('X-Request-Id');
    this.#requestId ??= requestIdPattern.test(sent) ? sent : randomUUID();
    return this.#requestId;
  }

  get traceId(): string | undefined {
    return traceparentPattern.exec(this.#ctx.get('traceparent'))?.[1];
  }
}
