import type { Finding } from '../kernel/finding.ts';
import { colorMembers, type Site, siteMembers } from '../host/school-platform.ts';
import { findMisspelt } from '../kernel/misspelt.ts';
import { OriginClaimed, type SiteFinder } from '../host/site-finder.ts';
import type { UnknownOrigin } from '../http/unknown-origins.ts';
import { found } from './findings.ts';

/** Looks each origin up, as a request to it would. */
export async function findSites(
  findSite: SiteFinder,
  origins: readonly string[],
): Promise<{ readonly sites: readonly Site[]; readonly findings: readonly Finding[] }> {
  const looked = await Promise.all(origins.map((origin) => look(findSite, origin)));
  return { sites: looked.flatMap(({ site }) => site ?? []), findings: looked.flatMap(({ findings }) => findings) };
}

export function siteNone(origins: readonly string[], unknown: readonly UnknownOrigin[]): Finding[] {
  if (origins.length > 0 || unknown.length > 0) return [];
  return [found('school-none', 'no school was checked: no origin was given, and no request came')];
}

/** Where requests came and found no school. */
export function unknownFindings(unknown: readonly UnknownOrigin[]): Finding[] {
  return unknown.map(({ origin, schoolAt }) =>
    schoolAt === undefined
      ? found('origin-unknown', `clients sent requests to ${origin}, where there is no school`)
      : found('proxy-protocol', `requests arrived as requests to ${origin}, but the school is at ${schoolAt}`),
  );
}

async function look(findSite: SiteFinder, origin: string): Promise<{ site?: Site; findings: Finding[] }> {
  try {
    const site = await findSite(origin);
    if (!site) return { findings: [found('school-unknown', `there is no school at ${origin}`)] };
    const plain = isPlain(origin) ? [found('school-http', `${origin} is not https:`)] : [];
    const port = hasOtherPort(origin) ? [found('school-port', `${origin} is not at port 443`)] : [];
    return { site, findings: [...plain, ...port, ...misspeltMembers(site), ...(await unanswered(findSite, site))] };
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    const id = cause instanceof OriginClaimed ? 'origin-claimed' : 'school-failing';
    return { findings: [found(id, cause instanceof Error ? cause.message : String(cause))] };
  }
}

/** Members that are named nearly as one that the school lacks. */
function misspeltMembers(site: Site): Finding[] {
  // Callers in plain JavaScript may return anything for it.
  const colors: object = Object(site.colors);
  const wrong = [
    ...findMisspelt(site, Object.keys(siteMembers)),
    ...findMisspelt(colors, Object.keys(colorMembers)).map(({ name, meant }) => ({
      name: `colors.${name}`,
      meant: `colors.${meant}`,
    })),
  ];
  return wrong.map(({ name, meant }) =>
    found('school-spelling', `findSite returned ${name} for ${site.id}; did you mean ${meant}?`),
  );
}

/** Former origins of a school at which it is not found. */
async function unanswered(findSite: SiteFinder, { id, formerOrigins }: Site): Promise<Finding[]> {
  const all = (formerOrigins ?? []).map(async (origin) =>
    (await findSite(origin))
      ? []
      : [found('origin-unanswered', `${id} was at ${origin}, where no school is found now`)],
  );
  return (await Promise.all(all)).flat();
}

/** Addresses of this machine, which are for development. */
const loopback = /^(?:localhost|127\.[\d.]+|\[::1\])$|\.localhost$/;

export function isPlain(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'http:' && !loopback.test(hostname);
}

/** Whether a public school is where hosted assistants do not come: they use port 443 alone. */
export function hasOtherPort(origin: string): boolean {
  const { protocol, hostname, port } = new URL(origin);
  return protocol === 'https:' && port !== '' && !loopback.test(hostname);
}
