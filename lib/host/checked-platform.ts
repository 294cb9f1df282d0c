import type { Context } from 'koa';
import type {
  Member,
  PlatformSession,
  SchoolPlatform,
  SchoolRole,
  Service,
  SignInHint,
  Site,
} from './school-platform.ts';
import type { Telemetry } from '../observe/telemetry.ts';
import { originsOf } from './origins.ts';
import { boundedCache } from '../kernel/bounded-cache.ts';
import type { OnFault } from '../observe/events.ts';
import { epochSeconds } from '../kernel/clock.ts';
import { faultWrapper, isThenable } from '../observe/faults-to-503.ts';
import { hourlyFaults } from '../observe/hourly-faults.ts';
import { observer } from '../observe/observer.ts';
import { isServedOrigin } from '../kernel/served-origin.ts';
import { kindOf } from '../kernel/validate.ts';
import { brief, wrongReturn } from './check-returns.ts';
import { wrongMembers } from './member-profile.ts';
import { createSeenRoles } from './seen-roles.ts';

/** The host's platform, with its responses checked and its failures reported as faults. */
export interface HostPlatform {
  findSite(origin: string): Promise<Site | undefined>;
  signedInMember(ctx: Context, site: Site): Promise<PlatformSession | undefined>;
  signInUrl(ctx: Context, site: Site, returnTo: string, hint: SignInHint): Promise<string>;
  findMember(site: Site, memberId: string): Promise<Member | undefined>;
  /** `undefined` if it has no access. */
  findService(site: Site, clientId: string): Promise<Service | undefined>;
  /** All roles of the school; `undefined` if the platform does not tell. */
  roles(site: Site): Promise<readonly Required<SchoolRole>[] | undefined>;
  /** The roles with which `findMember` has returned people of the school, some at most. */
  seenRoles(site: Site): readonly string[];
  /** Finds people by name or address, 20 at most. Absent if the platform cannot. */
  readonly searchMembers: ((site: Site, text: string) => Promise<readonly Member[]>) | undefined;
  readonly acrValues: readonly string[];
}

export function wrapPlatform(platform: SchoolPlatform, onFault: OnFault, telemetry?: Telemetry): HostPlatform {
  const [observe, wrapFaults] = [observer(telemetry, 'platform'), faultWrapper(onFault)];
  const wrap = <A extends unknown[], R>(name: string, call: (...args: A) => R | Promise<R>) =>
    observe(name, wrapFaults(`platform.${name}`, call));
  const seen = createSeenRoles();
  const reportWrong = hourlyFaults(onFault);
  const checkSeen = (site: Site, found: Returned<Member>, asked: string): Member | undefined => {
    const member = checkMember(found, asked);
    if (!member) return undefined;
    seen.note(site.id, member.roles);
    for (const { name, error } of wrongMembers(member)) {
      reportWrong(
        { of: site.id, name },
        `platform.findMember returned a wrong ${name}, which is left out`,
        () => error,
      );
    }
    return member;
  };
  return {
    findSite: wrap('findSite', async (origin: string) => checkSite(await platform.findSite(origin), origin)),
    signedInMember: wrap('signedInMember', async (ctx: Context, site: Site) =>
      checkPlatformSession(await platform.signedInMember(ctx, site)),
    ),
    signInUrl: wrap('signInUrl', async (...call: Parameters<SchoolPlatform['signInUrl']>) =>
      checkSignInUrl(await platform.signInUrl(...call)),
    ),
    // Called for every token: a member that is there at once needs no timer.
    findMember: wrap('findMember', (site: Site, memberId: string) => {
      const found = platform.findMember(site, memberId);
      if (!isThenable(found)) return checkSeen(site, found, memberId);
      return Promise.resolve(found).then((member) => checkSeen(site, member, memberId));
    }),
    findService: wrap('findService', async (site: Site, clientId: string) =>
      platform.findService ? checkService(await platform.findService(site, clientId)) : { roles: [] },
    ),
    roles: wrap('roles', async (site: Site) => checkRoles(await platform.roles?.(site))),
    seenRoles: ({ id }) => seen.at(id),
    searchMembers:
      platform.searchMembers &&
      wrap('searchMembers', async (site: Site, text: string) => checkFound(await platform.searchMembers?.(site, text))),
    acrValues: [...(platform.acrValues ?? [])],
  };
}

// A failed check throws a TypeError that names the wrong member and what it must be. `null` means the same as `undefined`.

type Returned<T> = T | null | undefined;

export const siteId = /^[\w.-]{1,128}$/;
export const siteIdRule = 'be 1 to 128 letters, digits, ".", "_" or "-"';
/** It is in every page of the school. */
const maxStylesheet = 20_000;

/** With a wrong origin, the issuer would be wrong everywhere. */
function checkSite(site: Returned<Site>, asked: string): Site | undefined {
  if (site === undefined || site === null) return undefined;
  const demand = (ok: boolean, member: string, rule: string, value: unknown): void => {
    if (!ok) throw wrongReturn(`platform.findSite(${brief(asked)})`, member, value, rule);
  };
  demand(isObject(site), '', 'be a school, or undefined', site);
  const { id, origin, name, timeZone, formerOrigins } = site;
  const stylesheet = site.stylesheet ?? '';
  const former = formerOrigins ?? [];
  demand(isTexts(former) && areFormer(former, origin), 'formerOrigins', formerRule, formerOrigins);
  const rule =
    'be the requested origin, or formerOrigins must have it; redirect other addresses of a school to its origin before this middleware';
  demand(originsOf(site).includes(asked), 'origin', rule, origin);
  demand(isServedOrigin(origin), 'origin', `be an origin such as "https://harbour.example", ${hostRule}`, origin);
  demand(typeof id === 'string' && siteId.test(id), 'id', siteIdRule, id);
  demand(isText(name), 'name', 'be a non-empty string', name);
  demand(isTimeZone(timeZone ?? 'UTC'), 'timeZone', 'be an IANA name such as "Asia/Taipei"', timeZone);
  const isSheet = typeof stylesheet === 'string' && stylesheet.length <= maxStylesheet;
  demand(isSheet, 'stylesheet', `be CSS of at most ${maxStylesheet} characters`, stylesheet);
  // A copy, for what is kept for each `Site`; with the methods of the host's class, since policies get its type.
  const copy: Site = Object.assign(Object.create(Object.getPrototypeOf(site)), site);
  return Object.freeze(copy);
}

const maxFormer = 10;
const hostRule = 'with a host of a-z, 0-9 and "_", and "." or "-" inside it (other letters as "xn--")';
const formerRule = `be an array of at most ${maxFormer} origins such as "https://harbour.example", without the current one, ${hostRule}`;

function areFormer(former: readonly string[], origin: string): boolean {
  return former.length <= maxFormer && former.every((each) => each !== origin && isServedOrigin(each));
}

/** Names that are known to be right. To check one takes 0.1 ms. */
const timeZones = boundedCache<true>(1000);

/** Offsets such as `+08:00` are no names. Callers in plain JavaScript can pass anything. */
function isTimeZone(name: unknown): boolean {
  if (typeof name !== 'string' || !/^[a-z]/i.test(name)) return false;
  if (timeZones.has(name)) return true;
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    return false;
  }
  timeZones.set(name, true);
  return true;
}

/** Larger values of seconds since the epoch are taken for milliseconds, which would satisfy every `max_age`. */
const latest = 100_000_000_000;

/** Seconds by which clocks may differ. A sign-in of tomorrow would satisfy every `max_age`. */
const maxAhead = 60;

/** In a list that spaces separate, and in headers. */
export const isAcrValue = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]{1,255}$/.test(value);
export const acrRule = 'be 1 to 255 printable ASCII characters without spaces and quotes';

/** A shorter one can be found by trying. */
const minSessionId = 16;
const maxSessionId = 512;

function checkPlatformSession(session: Returned<PlatformSession>): PlatformSession | undefined {
  if (session === undefined || session === null) return undefined;
  const method = 'platform.signedInMember()';
  check(isObject(session), method, '', 'be { memberId }, or undefined', session);
  const { memberId, authTime, amr, acr, sessionId } = session;
  check(isText(memberId), method, 'memberId', 'be a non-empty string', memberId);
  const seconds = authTime === undefined || (Number.isInteger(authTime) && authTime >= 0 && authTime < latest);
  check(seconds, method, 'authTime', 'be whole seconds since the epoch', authTime);
  const isPast = authTime === undefined || authTime <= epochSeconds() + maxAhead;
  check(isPast, method, 'authTime', `be at most ${maxAhead} seconds ahead of the clock of this process`, authTime);
  check(amr === undefined || isTexts(amr), method, 'amr', 'be an array of strings', amr);
  check(acr === undefined || isAcrValue(acr), method, 'acr', acrRule, acr);
  const isId = sessionId === undefined || (isTextOf(sessionId, maxSessionId) && sessionId.length >= minSessionId);
  const rule = `be a string of ${minSessionId} to ${maxSessionId} characters`;
  // It can be a credential, so a message does not show it.
  check(isId, method, 'sessionId', rule, kindOf(sessionId));
  return session;
}

function checkSignInUrl(url: string): string {
  check(isText(url), 'platform.signInUrl()', '', 'be the address of the sign-in page', url);
  return url;
}

/** Another member than the one that was asked for would have that one's consents and tokens. */
function checkMember(member: Returned<Member>, asked: string): Member | undefined {
  if (member === undefined || member === null) return undefined;
  const method = 'platform.findMember()';
  check(isObject(member), method, '', 'be a member, or undefined', member);
  const { id, roles } = member;
  if (id !== asked) throw wrongReturn(method, 'id', id, `be the id that was asked for, ${brief(asked)}`);
  check(isTexts(roles), method, 'roles', 'be an array of strings', roles);
  return member;
}

const maxFound = 20;

function checkFound(found: Returned<readonly Member[]>): readonly Member[] {
  if (found === undefined || found === null) return [];
  const method = 'platform.searchMembers()';
  check(Array.isArray(found), method, '', 'be an array of members, or undefined', found);
  const first = found.slice(0, maxFound);
  for (const [i, each] of first.entries()) {
    check(isObject(each), method, `[${i}]`, 'be a member', each);
    check(isText(each.id), method, `[${i}].id`, 'be a non-empty string', each.id);
    check(isTexts(each.roles), method, `[${i}].roles`, 'be an array of strings', each.roles);
  }
  return first;
}

function checkService(service: Returned<Service>): Service | undefined {
  if (service === undefined || service === null) return undefined;
  const method = 'platform.findService()';
  check(isObject(service), method, '', 'be { roles }, or undefined', service);
  check(isTexts(service.roles), method, 'roles', 'be an array of strings', service.roles);
  return service;
}

const maxRoles = 100;
const maxRole = 128;
const maxRoleName = 100;

/** A copy, since it is used after the platform has returned it. */
function checkRoles(roles: Returned<readonly SchoolRole[]>): Required<SchoolRole>[] | undefined {
  if (roles === undefined || roles === null) return undefined;
  const method = 'platform.roles()';
  const isList = Array.isArray(roles) && roles.length <= maxRoles;
  check(isList, method, '', `be an array of at most ${maxRoles} { role, name }, or undefined`, roles);
  const found = new Map<string, Required<SchoolRole>>();
  for (const [i, each] of roles.entries()) {
    check(isObject(each), method, `[${i}]`, 'be { role, name }', each);
    const { role } = each;
    const name = each.name ?? role;
    check(isTextOf(role, maxRole), method, `[${i}].role`, `be a string of 1 to ${maxRole} characters`, role);
    check(!found.has(role), method, `[${i}].role`, 'be unique', role);
    const isName = each.name === undefined || each.name === null || isTextOf(name, maxRoleName);
    check(isName, method, `[${i}].name`, `be a string of 1 to ${maxRoleName} characters`, name);
    found.set(role, { role, name });
  }
  return [...found.values()];
}

function isTextOf(value: unknown, most: number): boolean {
  return typeof value === 'string' && value !== '' && value.length <= most && value.isWellFormed();
}

export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

export function check(ok: boolean, what: string, member: string, rule: string, value: unknown): void {
  if (!ok) throw wrongReturn(what, member, value, rule);
}
