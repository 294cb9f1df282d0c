import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import type { Core } from '../core/core.ts';
import type { ClientFinder } from '../core/clients/client-finder.ts';
import { describeClient } from '../core/clients/client-metadata.ts';
import type { CampusHooks, Hook, HookEvent } from './hook.ts';
import { connectReason, type AppRequest, appRequestId, type AppRequests } from '../core/applications/request.ts';
import { SharedRoom } from '../kernel/shared-room.ts';
import { Turns } from '../kernel/turns.ts';
import { faultWrapper } from '../observe/faults-to-503.ts';
import type { Site } from '../host/school-platform.ts';
import type { AuditAction, AuditEvent } from '../observe/audit-event.ts';
import type { OnFault } from '../observe/events.ts';
import type { HostPlatform } from '../host/checked-platform.ts';

const hookOf: Readonly<Partial<Record<AuditAction, keyof CampusHooks>>> = {
  'consent.given': 'connected',
  'consent.narrowed': 'connected',
  'connection.widened': 'connected',
  'connection.limited': 'connected',
  'connection.ended': 'disconnected',
  'document.seen': 'requested',
  'document.changed': 'requested',
  'request.made': 'requested',
  'app.decided': 'reviewed',
  'request.granted': 'reviewed',
  'request.declined': 'reviewed',
};

/** Calls the host's hooks after the events that they are for. Resolves `close` when no hook is running. */
export function createHooks(
  hooks: CampusHooks,
  { host, clients, audit }: Core,
  requests: AppRequests,
): { readonly close: () => Promise<void> } {
  const caller = createHookCaller({
    hooks,
    platform: host.platform,
    siteOf: (id) => host.findSite.byId(id),
    findRequest: (site, id) => requests.find(site, id),
    clients: clients.findStored,
    onFault: audit.onFault,
  });
  if (caller) audit.events.on('audit', caller.call);
  return { close: async () => caller?.close() };
}

interface HookOptions {
  readonly platform: HostPlatform;
  readonly onFault: OnFault;
  readonly hooks: CampusHooks;
  readonly siteOf: (id: string) => Site | undefined;
  readonly findRequest: (site: Site, id: string) => Promise<AppRequest | undefined>;
  /** Finds clients without a request to another server. */
  readonly clients: ClientFinder;
}

interface HookCaller {
  /** Calls the hook of an event, later. */
  readonly call: (event: AuditEvent) => void;
  /** Resolves when no call is left. */
  readonly close: () => Promise<void>;
}

/** Calls the hooks of the host. `undefined` without one. */
export function createHookCaller(options: HookOptions): HookCaller | undefined {
  const { hooks, siteOf, onFault } = options;
  const wrap = faultWrapper(onFault);
  const given = Object.entries<Hook | undefined>({ ...hooks });
  const wrapped = new Map(
    given.flatMap(([name, hook]) => (hook ? [[name, wrap(`hooks.${name}`, hook)] as const] : [])),
  );
  if (wrapped.size === 0) return undefined;
  const calls = new CallQueue(onFault);
  return {
    call(event) {
      const name = hookOf[event.action] ?? '';
      const hook = wrapped.get(name);
      if (!hook || (name === 'requested' && !event.first)) return;
      const site = siteOf(event.siteId);
      if (!site) throw new Error(`the school ${event.siteId} of a hook is not known`);
      calls.add(site.id, async () => hook(await withParties(options, { ...event, site })));
    },
    close: () => calls.idle(),
  };
}

/** What cannot be found now is left out: its fault is reported, and the host learns the rest. */
async function withParties({ platform, clients, findRequest }: HookOptions, event: HookEvent): Promise<HookEvent> {
  const { site, memberId = '', clientId, app = '' } = event;
  const isRequest = event.action.startsWith('request.');
  const id = appRequestId(memberId, app, event.reason === connectReason ? clientId : undefined);
  const [member, client, request] = await Promise.all([
    memberId === '' ? undefined : platform.findMember(site, memberId).catch(() => undefined),
    clientId === undefined ? undefined : clients(site.id, clientId, 'identify').catch(() => undefined),
    isRequest ? findRequest(site, id).catch(() => undefined) : undefined,
  ]);
  return { ...event, member, request, client: clientId === undefined ? undefined : describeClient(clientId, client) };
}

const maxRunning = 10;

/** Calls that run or wait. One school has half of them at most. */
const room = 2000;

/** Calls that nobody waits for, outside the requests that cause them. Schools take turns, and none takes all the room. */
class CallQueue {
  readonly #onFault: OnFault;
  readonly #outside = AsyncLocalStorage.snapshot();
  readonly #turns = new Turns({ atOnce: maxRunning });
  readonly #room = new SharedRoom(room);
  readonly #running = new Set<Promise<void>>();
  readonly #leftOut = new Map<string, number>();

  constructor(onFault: OnFault) {
    this.#onFault = onFault;
  }

  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  add(siteId: string, call: () => Promise<void>): void {
    const leave = this.#room.enter(siteId);
    if (!leave) return this.#leaveOut(siteId);
    const run = this.#outside(() => this.#run(siteId, call)).finally(() => {
      leave();
      this.#running.delete(run);
      if (this.#running.size === 0) this.#reportLeftOut();
    });
    this.#running.add(run);
  }

  async #run(siteId: string, call: () => Promise<void>): Promise<void> {
    const end = await this.#turns.take(siteId);
    await setImmediate();
    // The failure of a hook is reported as a fault.
    await call().catch(() => {});
    end();
  }

  #leaveOut(siteId: string): void {
    const before = this.#leftOut.get(siteId) ?? 0;
    this.#leftOut.set(siteId, before + 1);
    const reason = `calls for the school ${siteId} have no room: too many wait already`;
    if (before === 0) this.#onFault('hooks are left out', new Error(reason));
  }

  #reportLeftOut(): void {
    for (const [siteId, count] of this.#leftOut)
      this.#onFault('hooks were left out', new Error(`${count} calls for the school ${siteId} were left out`));
    this.#leftOut.clear();
  }
}
