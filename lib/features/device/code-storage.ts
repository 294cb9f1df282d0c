import { randomUUID } from 'node:crypto';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { audienceOf, personAudience } from '../../core/clients/client-metadata.ts';
import { AccessDenied, InvalidRequest, OAuthError, TemporarilyUnavailable } from '../../kernel/errors.ts';
import { withRequest } from '../../engine/adapter.ts';
import type { AuthorizationLimiter } from '../../core/limits/request-limiters.ts';
import type { JsonMembers } from '../../kernel/json.ts';
import { grantIdOf, members, optional, serializeRecord, storedId, text } from '../../records/codec.ts';
import type { FoundRecord } from '../../records/found-record.ts';
import type { RecordStore } from '../../records/record-store.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import type { EngineRequest } from '../../engine/engine-request.ts';
import { devicePaths } from './names.ts';
import type { UserCodeLimiter } from './user-code-limiter.ts';
import type { OnAudit } from '../../observe/audit-event.ts';

export interface DeviceCodeOptions {
  readonly store: RecordStore;
  readonly onAudit: OnAudit;
  readonly limitAuthorizations: AuthorizationLimiter;
  readonly limitUserCodes: UserCodeLimiter;
}

type FoundRequest = FoundRecord<'DeviceRequest'>;

/** The request of a device that an HTTP request looked up last. */
const lookedUp = new WeakMap<EngineRequest, FoundRequest>();

/** Whether a person is asked about a device, in a browser. */
function isAtPage({ ctx: { path } }: EngineRequest): boolean {
  return path === devicePaths.page || path.startsWith(`${devicePaths.page}/`);
}

/** The engine's storage of device codes. */
export function deviceCodes(options: DeviceCodeOptions): Partial<Adapter> {
  return {
    find: withRequest((request, id: string) => findDeviceCode(request, options, id)),
    findByUserCode: withRequest((request, userCode: string) => findByUserCode(request, options, userCode)),
    upsert: withRequest((request, id: string, payload: AdapterPayload) =>
      saveDeviceCode(request, options, id, payload),
    ),
  };
}

/** Seconds between two polls, as the response says, and how many of them must have passed: networks and clocks take the other one. */
export const pollInterval = 5;
const pollWindow = pollInterval - 1;

/** Apart from the ids of device codes. */
function userCodeId(userCode: string): string {
  return storedId('DeviceRequest', `user code ${userCode}`);
}

/** For the device: the code that a person has allowed, or else its request. For a person: the request. */
async function findDeviceCode(
  request: EngineRequest,
  options: DeviceCodeOptions,
  id: string,
): Promise<AdapterPayload | undefined> {
  // A browser never gets a device code. There the engine has the stored id in its place, and that is not valid at the
  // token endpoint.
  const deviceId = isAtPage(request) ? id : storedId('DeviceRequest', id);
  const found = await options.store.find(request.site.id, 'DeviceRequest', deviceId);
  if (found?.record.clientId === undefined) return undefined;
  if (isAtPage(request) || found.record.exp <= epochSeconds()) return payloadOf(request, id, found);
  if (found.record.accountId !== undefined) {
    const code = await request.records.find('DeviceCode', id);
    if (code || !(await isArriving(request, options, found))) return code;
  }
  if (found.record.error === undefined) await checkPace(request, options, deviceId);
  return { ...payloadOf(request, id, found), accountId: undefined };
}

/** Seconds after a decision in which the code that it gives may not be stored yet. */
const arrives = 10;

/** The decision is written before the code, so that one person decides. A connection that was ended meanwhile gives none. */
async function isArriving(
  { site }: EngineRequest,
  { store }: DeviceCodeOptions,
  { record: { accountId = '', clientId = '', at = 0 } }: FoundRequest,
): Promise<boolean> {
  if (at + arrives <= epochSeconds()) return false;
  return (await store.find(site.id, 'Grant', grantIdOf(accountId, clientId))) !== undefined;
}

/** A poll that comes too early counts nothing, so that what is stored of them is one counter. RFC 8628 section 3.5. @throws OAuthError `slow_down`, status 400 */
async function checkPace({ site }: EngineRequest, { store }: DeviceCodeOptions, deviceId: string): Promise<void> {
  const wait = await store.consumeQuota(site.id, [{ name: `device:${deviceId}`, limit: 1 }], pollWindow);
  if (wait === undefined) return;
  throw new OAuthError('slow_down', `wait ${pollInterval} seconds longer between two requests than before`);
}

function payloadOf(request: EngineRequest, id: string, found: FoundRequest): AdapterPayload {
  lookedUp.set(request, found);
  const { device: _device, at: _at, attempt: _attempt, ...payload } = found.record;
  return { ...payload, jti: id, kind: 'DeviceCode' };
}

/** For the person who has entered it. Each one is counted, right or wrong. */
async function findByUserCode(
  request: EngineRequest,
  { store, limitUserCodes }: DeviceCodeOptions,
  userCode: string,
): Promise<AdapterPayload | undefined> {
  const { ctx, site } = request;
  const signedIn = await request.signedIn();
  if (!signedIn) throw new AccessDenied('nobody is signed in');
  await limitUserCodes(ctx, site, signedIn.memberId);
  const pointer = await store.find(site.id, 'DeviceRequest', userCodeId(userCode));
  const deviceId = pointer?.record.device;
  const found = deviceId === undefined ? undefined : await store.find(site.id, 'DeviceRequest', deviceId);
  return found && deviceId !== undefined ? { ...payloadOf(request, deviceId, found), userCode } : undefined;
}

async function saveDeviceCode(
  request: EngineRequest,
  options: DeviceCodeOptions,
  id: string,
  payload: AdapterPayload,
): Promise<void> {
  if (!isAtPage(request)) return startRequest(request, options, id, payload);
  if (payload.error !== undefined) return denyRequest(request, options, id, payload);
  const { accountId, exp = 0 } = payload;
  // The engine marks a code that somebody has entered. Here that decides nothing: people go back, and sign in as another person.
  if (accountId === undefined) return;
  await decide(request, options, id, { accountId });
  const ttl = Math.max(1, exp - epochSeconds());
  if (await request.records.save({ kind: 'DeviceCode', id, payload, ttl, isStored: true })) return;
  throw new AccessDenied('the connection was ended at the same moment; start again on the device');
}

/** A device that asks too late still learns that its code has expired. */
const keptAfter = 2;

async function startRequest(
  { ctx, site }: EngineRequest,
  { store, limitAuthorizations }: DeviceCodeOptions,
  id: string,
  { clientId, exp = 0, params, deviceInfo, userCode = '' }: AdapterPayload,
): Promise<void> {
  await limitAuthorizations(ctx, site, undefined);
  const ttl = exp - epochSeconds();
  const [kind, device] = ['DeviceRequest', storedId('DeviceRequest', id)] as const;
  const pointer = serializeRecord(kind, { exp, device });
  if (!(await store.save(site.id, { kind, id: userCodeId(userCode), record: pointer, ttl, replaces: null })))
    throw new TemporarilyUnavailable('this user code waits for another device; try again');
  const record = serializeRecord(kind, { exp, clientId, params, deviceInfo });
  await store.save(site.id, { kind, id: device, record, ttl: ttl * keptAfter });
}

/** The first decision counts. @throws InvalidRequest for another one, so that no page says that it did */
async function decide(
  request: EngineRequest,
  { store }: DeviceCodeOptions,
  id: string,
  decision: JsonMembers,
): Promise<void> {
  const { site } = request;
  const device = lookedUp.get(request);
  if (!device) throw new Error('the engine decides on a device that it has not looked up');
  const { exp, accountId, error } = device.record;
  const kind = 'DeviceRequest';
  const record = serializeRecord(kind, { ...device.record, ...decision, at: epochSeconds(), attempt: randomUUID() });
  const ttl = Math.max(1, exp - epochSeconds()) * keptAfter;
  const isOpen = accountId === undefined && error === undefined;
  if (isOpen && (await store.save(site.id, { kind, id, record, ttl, replaces: device.text }))) return;
  throw new InvalidRequest('this code has been used by another request');
}

/** Only a person refuses: after a fault, or as somebody else, they can enter the code again. */
async function denyRequest(
  request: EngineRequest,
  options: DeviceCodeOptions,
  id: string,
  { error, errorDescription, clientId = '' }: AdapterPayload,
): Promise<void> {
  if (error !== 'access_denied' || request.denied) return;
  await decide(request, options, id, { error, errorDescription });
  // The consent page reports what is refused there.
  if (request.ctx.path !== devicePaths.page) return;
  const { memberId } = (await request.signedIn()) ?? {};
  const kind = personAudience(audienceOf((await request.client(clientId)) ?? {}));
  const actor = { kind, id: memberId } as const;
  const parties = { siteId: request.site.id, actor, clientId, app: request.appOf(clientId), memberId };
  options.onAudit({ action: 'consent.denied', reason: 'declined', ...parties });
}

/** What a device is said to be: it chooses the name of its app itself. */
export function deviceInfoOf(payload: JsonMembers): Record<'address' | 'userAgent', string | undefined> {
  const info = optional(payload, 'deviceInfo', members) ?? {};
  return { address: optional(info, 'address', text), userAgent: optional(info, 'userAgent', text) };
}
