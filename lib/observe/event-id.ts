import { randomUUID } from 'node:crypto';

/** The time and the number of the last event of this process. */
let last = { time: 0, number: 0 };

/**
 * An id for an event of this moment: a UUID of version 7, which sorts by time, and within a millisecond by the order in this process. Its last two
 * digits are zero: the log numbers there what it keeps of one event for several people. RFC 9562 section 5.7.
 */
export function newEventId(milliseconds: number): string {
  const number = milliseconds === last.time ? (last.number + 1) % 0x1000 : 0;
  last = { time: milliseconds, number };
  const time = milliseconds.toString(16).padStart(12, '0');
  const order = number.toString(16).padStart(3, '0');
  // The rest is that of a random UUID, with its variant.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${order}-${randomUUID().slice(19, 34)}00`;
}

/** When the event happened, in milliseconds since the epoch. */
export function timeOfEvent(eventId: string): number {
  return Number.parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16);
}
