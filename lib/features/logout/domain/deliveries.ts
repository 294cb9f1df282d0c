import { AsyncLocalStorage } from 'node:async_hooks';
import type { UndeliveredSignOut } from '../../../core/connections/sign-outs.ts';
import { boundedCache } from '../../../kernel/bounded-cache.ts';
import type { OnAudit } from '../../../observe/audit-event.ts';
import type { OnFault } from '../../../observe/events.ts';

/** A logout token for one application. */
export interface Delivery {
  readonly siteId: string;
  readonly clientId: string;
  readonly memberId: string;
  /** The connection that it is about. */
  readonly connectionId: string;
  readonly address: string;
  /** Makes a token for one try. `undefined` while no key signs. */
  readonly token: () => string | undefined;
}

interface DeliveryOptions {
  /** Posts a form; resolves with the status. */
  readonly post: (address: string, form: string) => Promise<number>;
  readonly onAudit: OnAudit;
  readonly onFault: OnFault;
}

export interface Deliveries {
  /** Delivers it later. */
  readonly add: (delivery: Delivery) => void;
  /** The last delivery of each application that failed, some at most. */
  readonly undelivered: () => readonly UndeliveredSignOut[];
  /** Resolves when none is left. Those that wait for another try have it at once. */
  readonly close: () => Promise<void>;
}

const maxRunning = 10;
const maxWaiting = 1000;
const maxFailures = 100;

/** Milliseconds before the second and the third try. */
const pauses = [1000, 10_000] as const;

/** Deliveries that nobody waits for, outside the requests that cause them. Each has a deadline, and three tries. */
export function createDeliveries({ post, onAudit, onFault }: DeliveryOptions): Deliveries {
  const outside = AsyncLocalStorage.snapshot();
  const failures = boundedCache<UndeliveredSignOut>(maxFailures);
  const waiting: Delivery[] = [];
  const running = new Set<Promise<void>>();
  let endPauses = new AbortController();
  let isFull = false;

  /** Why it failed; `undefined` if it did not. */
  async function attempt({ address, token }: Delivery): Promise<string | undefined> {
    const signed = token();
    if (signed === undefined) return 'was not called, since no key signs';
    try {
      const status = await post(address, new URLSearchParams({ logout_token: signed }).toString());
      return status >= 200 && status < 300 ? undefined : `answered ${status}`;
    } catch {
      return 'could not be reached';
    }
  }

  async function deliver(delivery: Delivery): Promise<void> {
    const { siteId, clientId, memberId, connectionId, address } = delivery;
    const parties = { siteId, clientId, memberId, connectionId, actor: { kind: 'client', id: clientId } } as const;
    const name = JSON.stringify([siteId, clientId]);
    let reason = await attempt(delivery);
    for (const milliseconds of pauses) {
      if (reason === undefined) break;
      await pause(milliseconds, endPauses.signal);
      reason = await attempt(delivery);
    }
    if (reason === undefined) {
      failures.delete(name);
      onAudit({ action: 'logout.delivered', ...parties });
    } else {
      failures.set(name, { siteId, clientId, address, reason });
      onAudit({ action: 'logout.undelivered', reason: auditReason(reason), ...parties });
    }
  }

  function start(): void {
    while (running.size < maxRunning) {
      const next = waiting.shift();
      if (!next) break;
      const run = outside(() => deliver(next))
        .catch((cause: unknown) => onFault('a logout token was not delivered', cause))
        .finally(() => {
          running.delete(run);
          isFull = false;
          start();
        });
      running.add(run);
    }
  }

  return {
    add(delivery) {
      if (waiting.length < maxWaiting) waiting.push(delivery);
      else if (!isFull) onFault('logout tokens are left out', new Error(`${maxWaiting} logout tokens wait already`));
      isFull = waiting.length >= maxWaiting;
      start();
    },
    undelivered: () => [...failures.values()],
    async close() {
      endPauses.abort();
      while (running.size > 0) await Promise.all(running);
      endPauses = new AbortController();
    },
  };
}

/** For programs that read the log. */
function auditReason(reason: string): string {
  const [, status] = /^answered (\d+)$/.exec(reason) ?? [];
  if (status !== undefined) return `status_${status}`;
  return reason === 'could not be reached' ? 'unreachable' : 'no_key';
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  const timer = setTimeout(resolve, milliseconds);
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}
