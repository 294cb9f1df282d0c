import { epochSeconds } from '../kernel/clock.ts';

/** Says a time in seconds since the epoch, in a time zone. */
export type TimeFormat = (seconds: number, timeZone: string) => string;

/** The dates and times of a language. */
export interface Dates {
  /** The whole date, for paper and for what is far away. */
  readonly date: TimeFormat;
  /** That and the time of day. */
  readonly moment: TimeFormat;
  readonly clock: TimeFormat;
  /** yesterday, today, tomorrow, otherwise a short date, with its year unless that is within twelve months. */
  readonly nearDate: TimeFormat;
  /** The same with the time of day: today, 1:28 PM. */
  readonly nearMoment: TimeFormat;
}

/** Within this time, a day and a month mean one day only. */
const almostOneYear = 360 * 24 * 60 * 60;

const millisecondsOfDay = 24 * 60 * 60 * 1000;

export function datesIn(language: string): Dates {
  const timesIn = (options: Intl.DateTimeFormatOptions): TimeFormat => timesOf(language, options);
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const dayOfYear = timesIn({ month: 'short', day: 'numeric' });
  const momentOfYear = timesIn({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });
  const dayWithYear = timesIn({ dateStyle: 'medium' });
  const moment = timesIn({ dateStyle: 'medium', timeStyle: 'short' });
  const wordOf = (seconds: number, timeZone: string): string | undefined => {
    const days = dayNumber(seconds, timeZone) - dayNumber(epochSeconds(), timeZone);
    return Math.abs(days) <= 1 ? words.format(days, 'day') : undefined;
  };
  return {
    date: timesIn({ dateStyle: 'long' }),
    moment,
    clock: timesIn({ timeStyle: 'short' }),
    nearDate: (seconds, timeZone) =>
      wordOf(seconds, timeZone) ?? (isNear(seconds) ? dayOfYear : dayWithYear)(seconds, timeZone),
    nearMoment(seconds, timeZone) {
      const word = wordOf(seconds, timeZone);
      if (word === undefined) return (isNear(seconds) ? momentOfYear : moment)(seconds, timeZone);
      // The language says how a day and its time of day stand beside each other.
      return momentOfYear(seconds, timeZone).replace(dayOfYear(seconds, timeZone), word);
    },
  };
}

function isNear(seconds: number): boolean {
  return Math.abs(seconds - epochSeconds()) < almostOneYear;
}

function timesOf(language: string, options: Intl.DateTimeFormatOptions): TimeFormat {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (seconds, timeZone) => {
    let format = formats.get(timeZone);
    if (!format) formats.set(timeZone, (format = new Intl.DateTimeFormat(language, { ...options, timeZone })));
    return format.format(seconds * 1000);
  };
}

/** Years, months and days in digits that `Date` reads. */
const calendar = timesOf('sv', { year: 'numeric', month: '2-digit', day: '2-digit' });

/** Days of the calendar are counted, because some have 23 hours or 25. */
function dayNumber(seconds: number, timeZone: string): number {
  return Date.parse(calendar(seconds, timeZone)) / millisecondsOfDay;
}
