import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';
import type { UndeliveredSignOut } from '../../../core/connections/sign-outs.ts';
import { boundedCache } from '../../../kernel/bounded-cache.ts';
import { SharedRoom } from '../../../kernel/shared-room.ts';
import { Turns } from '../../../kernel/turns.ts';
import type { OnAudit } from '../../../observe/audit-event.ts';
import type { OnFault } from '../../../observe/events.ts';
import { hourlyFaults } from '../../../observe/hourly-faults.ts';
import { RestingAddresses, shortestRest } from './resting-addresses.ts';

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
  /** Posts a form for a school; resolves with the status. */
  readonly post: (siteId: string, address: string, form: string) => Promise<number>;
  readonly onAudit: OnAudit;
  readonly onFault: OnFault;
}

export interface Deliveries {
  /** Delivers it later. */
  readonly add: (delivery: Delivery) => void;
  /** The last delivery of each application that failed, some at most. */
  readonly undelivered: () => readonly UndeliveredSignOut[];
  /** Resolves when none is left. Those that wait for another try have it at once, if their address does not rest. */
  readonly close: () => Promise<void>;
}

/** Logout tokens that are posted at a time: in all, for one school, and to one host. */
const places = { atOnce: 10, perOwner: 5, perTarget: 5 } as const;

/** Logout tokens that are posted or wait. One school has half of them at most. */
const room = 2000;

/** Applications whose failure is kept for the finding. */
const maxFailures = 100;

/** Milliseconds before each try. */
const pauses = [0, 1000, 10_000] as const;

/** Why an application was not told: for apps that read the log, and in words that follow its address. */
interface Failure {
  readonly code: string;
  readonly text: string;
}

const failureOf = {
  noKey: { code: 'no_key', text: 'was not called, since no key signs' },
  unreachable: { code: 'unreachable', text: 'could not be reached, three times' },
  resting: { code: 'resting', text: 'was not called, since it has failed again and again' },
  noRoom: { code: 'no_room', text: 'was not called, since too many logout tokens of the school wait' },
} as const;

/**
 * Deliveries that nobody waits for, outside the requests that cause them. Each has a deadline, and three tries; between them it holds no place.
 * Schools take turns, and no school or host has all the places.
 */
export function createDeliveries({ post, onAudit, onFault }: DeliveryOptions): Deliveries {
  const outside = AsyncLocalStorage.snapshot();
  const reportFault = hourlyFaults(onFault);
  const failures = boundedCache<UndeliveredSignOut>(maxFailures);
  const turns = new Turns(places);
  const waitingRoom = new SharedRoom(room);
  const addresses = new RestingAddresses();
  const running = new Set<Promise<void>>();
  let endPauses = new AbortController();

  async function deliver(delivery: Delivery): Promise<void> {
    let failure: Failure | undefined;
    for (const milliseconds of pauses) {
      await pause(milliseconds, endPauses.signal);
      const end = await turnOf(delivery);
      if (!end) return report(delivery, failure ?? failureOf.resting);
      failure = await attempt(delivery).finally(end);
      if (!failure) break;
    }
    report(delivery, failure);
  }

  /** A turn to call an address that can be called. `undefined` if it rests for longer than a delivery waits. */
  async function turnOf(delivery: Delivery): Promise<(() => void) | undefined> {
    const { siteId, address } = delivery;
    for (;;) {
      const end = await turns.take(siteId, new URL(address).host);
      const rest = addresses.restOf(nameOf(delivery));
      if (rest === 0) return end;
      end();
      if (rest > shortestRest || endPauses.signal.aborted) return undefined;
      await pause(rest, endPauses.signal);
    }
  }

  async function attempt(delivery: Delivery): Promise<Failure | undefined> {
    const { siteId, address, token } = delivery;
    const signed = token();
    if (signed === undefined) return failureOf.noKey;
    const form = new URLSearchParams({ logout_token: signed }).toString();
    const status = await post(siteId, address, form).catch(() => undefined);
    const isDelivered = status !== undefined && status >= 200 && status < 300;
    if (isDelivered) addresses.succeeded(nameOf(delivery));
    else addresses.failed(nameOf(delivery));
    if (isDelivered) return undefined;
    if (status === undefined) return failureOf.unreachable;
    return { code: `status_${status}`, text: `answered ${status}, three times` };
  }

  function report(delivery: Delivery, failure: Failure | undefined): void {
    const { siteId, clientId, memberId, connectionId, address } = delivery;
    const parties = { siteId, clientId, memberId, connectionId, actor: { kind: 'client', id: clientId } } as const;
    const name = JSON.stringify([siteId, clientId]);
    if (!failure) {
      failures.delete(name);
      return onAudit({ action: 'logout.delivered', ...parties });
    }
    const known = failures.get(name);
    // What it answered before it rested says more.
    if (failure !== failureOf.resting || !known)
      failures.set(name, { siteId, clientId, address, reason: failure.text });
    onAudit({ action: 'logout.undelivered', reason: failure.code, ...parties });
  }

  return {
    add(delivery) {
      const { siteId } = delivery;
      const leave = waitingRoom.enter(siteId);
      if (!leave) {
        const cause = (): Error => new Error(`too many logout tokens of the school ${siteId} wait already`);
        reportFault({ of: siteId, name: 'logout' }, 'logout tokens are left out', cause);
        return report(delivery, failureOf.noRoom);
      }
      const run = outside(() => deliver(delivery))
        .catch((cause: unknown) => onFault('a logout token was not delivered', cause))
        .finally(() => {
          leave();
          running.delete(run);
        });
      running.add(run);
    },
    undelivered: () => [...failures.values()],
    async close() {
      endPauses.abort();
      while (running.size > 0) await Promise.all(running);
      endPauses = new AbortController();
    },
  };
}

/** The address of an application: what others do with the same one says nothing about it. */
function nameOf({ siteId, clientId, address }: Delivery): string {
  return JSON.stringify([siteId, clientId, address]);
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  // It rejects only when the pauses end.
  if (milliseconds > 0) await setTimeout(milliseconds, undefined, { signal }).catch(() => {});
}
