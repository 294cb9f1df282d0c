import type * as z from 'zod';
import type { Site } from './school-platform.ts';
import type { OnFault } from '../observe/events.ts';
import { brief, readReturn, wrongReturn } from './check-returns.ts';
import { isThenable, reportFault } from '../observe/faults-to-503.ts';

/** The value of an option at a school. */
export type AtSite<T> = (site: Site) => T;

/** An option as the schemas pass it on: a value, or the host's function of the school. */
export type SiteOption<T> = T | ((site: Site) => unknown);

/** A function of the host is called once for each `Site` object, which is kept as long as `siteCache` says. What it returns wrong is a fault. @internal */
export function atSite<T extends object | false>(
  name: string,
  option: SiteOption<T>,
  schema: z.ZodType<T>,
  onFault: OnFault,
): AtSite<T> {
  if (typeof option !== 'function') return () => option;
  const values = new WeakMap<Site, T>();
  return (site) => {
    const known = values.get(site);
    if (known !== undefined) return known;
    const what = `${name}(${brief(site.id)})`;
    try {
      const returned = option(site) ?? undefined;
      if (isThenable(returned)) {
        Promise.resolve(returned).catch(() => undefined);
        throw wrongReturn(what, '', returned, 'be a value, not a promise; fetch it beforehand');
      }
      const value = readReturn(what, schema, returned);
      values.set(site, value);
      return value;
    } catch (error) {
      throw reportFault(onFault, what, error);
    }
  };
}
