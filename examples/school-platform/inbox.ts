import type { DatabaseSync } from 'node:sqlite';
import type { Notification, NotificationSubscription } from 'campus-oidc/member-api';
import { integer, optionalText, type Row, text } from './columns.ts';
import { createPager } from './pager.ts';

/** The column of each channel. */
const channels = [
  { channel: 'email', column: 'by_email' },
  { channel: 'in_app', column: 'in_app' },
] as const;

/** A person's notifications at a school, and their subscriptions. Every statement is prepared once. */
export function createInbox(database: DatabaseSync) {
  const ofPerson = 'person_id = ?1 AND school_id = ?2';
  const one = database.prepare(`SELECT * FROM notifications WHERE ${ofPerson} AND id = ?3`);
  const unread = database.prepare(`SELECT count(*) AS count FROM notifications WHERE ${ofPerson} AND read_at IS NULL`);
  const markOne = database.prepare(
    `UPDATE notifications SET read_at = ?4 WHERE ${ofPerson} AND id = ?3 AND read_at IS NULL`,
  );
  const markAll = database.prepare(`UPDATE notifications SET read_at = ?3 WHERE ${ofPerson} AND read_at IS NULL`);
  const topics = database.prepare(`SELECT * FROM notification_subscriptions WHERE ${ofPerson} ORDER BY topic`);
  const updates = channels.map(({ channel, column }) => ({
    channel,
    statement: database.prepare(
      `UPDATE notification_subscriptions SET ${column} = ?4 WHERE ${ofPerson} AND topic = ?3`,
    ),
  }));

  return {
    page: createPager(
      database,
      `SELECT created_at || ' ' || id AS cursor, * FROM notifications WHERE ${ofPerson}`,
      toNotification,
      true,
    ),
    unreadCount: (personId: string, schoolId: string): number => integer(unread.get(personId, schoolId) ?? {}, 'count'),
    /** Marks one as read. Returns `undefined` if the person has no notification with this id. */
    markRead(personId: string, schoolId: string, id: string): Notification | undefined {
      markOne.run(personId, schoolId, id, new Date().toISOString());
      const row = one.get(personId, schoolId, id);
      return row && toNotification(row);
    },
    /** Marks all as read. Returns how many were unread. */
    markAllRead: (personId: string, schoolId: string): number =>
      Number(markAll.run(personId, schoolId, new Date().toISOString()).changes),
    subscriptions: (personId: string, schoolId: string): NotificationSubscription[] =>
      topics.all(personId, schoolId).flatMap(toSubscriptions),
    /** Changes one subscription. Returns false if there is none for this topic and channel. */
    subscribe(personId: string, schoolId: string, { topic, channel, subscribed }: NotificationSubscription): boolean {
      const update = updates.find((candidate) => candidate.channel === channel);
      return update !== undefined && update.statement.run(personId, schoolId, topic, Number(subscribed)).changes > 0;
    },
  };
}

function toNotification(row: Row): Notification {
  return {
    id: text(row, 'id'),
    title: text(row, 'title'),
    body: text(row, 'body'),
    url: optionalText(row, 'url'),
    createdAt: text(row, 'created_at'),
    readAt: optionalText(row, 'read_at'),
  };
}

function toSubscriptions(row: Row): NotificationSubscription[] {
  const topic = text(row, 'topic');
  return channels.map(({ channel, column }) => ({ topic, channel, subscribed: integer(row, column) === 1 }));
}
