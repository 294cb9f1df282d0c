import { epochSeconds } from '../../kernel/clock.ts';
import { dayIn, startOf } from './days.ts';

/** How a person says of when they want to see entries. */
export const periods = ['today', 'week', 'month', 'dates'] as const;

export type PeriodName = (typeof periods)[number];

/** The first and the last day, as a date field has them. */
export interface Days {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const lengths = { today: 1, week: 7, month: 30 } as const;

/** The days of a period in a time zone, of which today is the last. */
export function daysOf(period: keyof typeof lengths, timeZone: string): Required<Days> {
  const today = dayAt(epochSeconds(), timeZone);
  return { from: dayBefore(today, lengths[period] - 1), to: today };
}

/** As many days as these, just before them; nothing if one of them is open. */
export function before({ from, to }: Days): Required<Days> | undefined {
  if (from === undefined || to === undefined || from > to) return undefined;
  const length = Math.round((Date.parse(to) - Date.parse(from)) / millisecondsOfDay) + 1;
  return { from: dayBefore(from, length), to: dayBefore(from, 1) };
}

/** The moments between which these days are. */
export function momentsOf({ from, to }: Days, timeZone: string): { readonly from?: Date; readonly to?: Date } {
  return {
    ...(from !== undefined && { from: startOf(from, timeZone) }),
    ...(to !== undefined && { to: startOf(to, timeZone, 1) }),
  };
}

const millisecondsOfDay = 24 * 60 * 60 * 1000;

/** The day of a time as a date field has it. */
function dayAt(seconds: number, timeZone: string): string {
  const digits = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  return dayIn(new Intl.DateTimeFormat('sv', { ...digits, timeZone }).format(seconds * 1000)) ?? '';
}

function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * millisecondsOfDay).toISOString().slice(0, 10);
}
