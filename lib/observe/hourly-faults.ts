import type { OnFault } from './events.ts';
import { WindowCounters } from '../kernel/window-counters.ts';

/** `name` is what the fault is about, `of` the school or the network whose share of the reports it uses. */
type ReportFault = (
  subject: { readonly of: string; readonly name: string },
  message: string,
  cause: () => Error,
) => void;

const hour = 60 * 60;

const perOwner = 10;

/** One of each of a thousand schools. */
const inAll = 1000;

/**
 * Reports a fault that any caller can cause: once an hour for each subject. It is reported again, so that a caller who causes it first
 * does not hide the mistake of the host. When a share or all of them are used up, the last fault of the hour says that more are left out.
 */
export function hourlyFaults(onFault: OnFault): ReportFault {
  const counters = new WindowCounters(hour);
  return ({ of, name }, message, cause) => {
    const own = { name: `${of} ${name}`, limit: 1 };
    if (counters.wait([own]) !== undefined) return;
    const share = { name: `${of} `, limit: perOwner };
    if (counters.use([own, share, { name: '', limit: inAll }]) === undefined) return onFault(message, cause());
    if (counters.use([{ name: 'more', limit: 1 }]) !== undefined) return;
    onFault(`${message}; more of these are not reported in this hour`, cause());
  };
}
