import { randomBytes } from 'node:crypto';

/** The moment and the number of the last event, and the digits that tell the events of this process from those of others. */
let last = { moment: 0, number: 0, process: newProcess() };

/**
 * An id for an event of this moment, in milliseconds since the epoch: a UUID of version 7, which sorts by time, and within a millisecond by the
 * order in this process. Its last two digits are zero: the log numbers there what it keeps of one event for several people. RFC 9562 sections
 * 5.7 and 6.2.
 */
export function newEventId(moment: number): string {
  if (moment > last.moment) last = { ...last, moment, number: 0 };
  // Numbers would come twice: the clock went back, or this millisecond has had all of them.
  else if (moment < last.moment || last.number === 0xfff) last = { moment, number: 0, process: newProcess() };
  else last.number += 1;
  const digits = moment.toString(16).padStart(12, '0');
  const number = last.number.toString(16).padStart(3, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7${number}-${last.process}00`;
}

/** The variant, and 52 random bits. */
function newProcess(): string {
  const random = randomBytes(7).toString('hex');
  return `a${random.slice(0, 3)}-${random.slice(3, 13)}`;
}

/** When the event happened, in milliseconds since the epoch. */
export function timeOfEvent(eventId: string): number {
  return Number.parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16);
}

/** What the times of a second share: to format a date takes longer than all else of an event. */
let second = { start: Number.NaN, text: '' };

/** A moment, in milliseconds since the epoch, in ISO 8601 and UTC. */
export function isoTime(moment: number): string {
  const milliseconds = moment % 1000;
  const start = moment - milliseconds;
  if (start !== second.start) second = { start, text: new Date(start).toISOString().slice(0, -4) };
  return `${second.text}${milliseconds.toString().padStart(3, '0')}Z`;
}
