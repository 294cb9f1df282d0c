import { ownEntry } from '../../kernel/own-entry.ts';
import type { ClientFinder } from '../clients/client-finder.ts';
import { describeClient } from '../clients/client-metadata.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { digest } from '../../kernel/crypto.ts';
import { inParts } from '../../kernel/in-parts.ts';
import { isObject } from '../../kernel/validate.ts';
import type { OnFault } from '../../observe/events.ts';
import { serializeRecord } from '../../records/codec.ts';
import type { RecordStore } from '../../records/record-store.ts';
import type { AfterEnd } from '../../records/store-hooks.ts';
import { type Ending, newsRow, type NewsRow } from './news-row.ts';

const kind = 'News';
const keptSeconds = 90 * 24 * 60 * 60;
/** Rows of a person: the oldest makes room. */
const maxRows = 20;
/** People for whom something is written at the same time. */
const atOnce = 20;
/** Characters of the name of an app. */
const maxName = 200;
/** Each lost attempt is something else that was written for the same person. */
const maxAttempts = 10;

export type NewsRows = ReadonlyMap<string, NewsRow>;

/**
 * What people have not read yet: one record for each person. To write it is never a reason for a decision or an end to fail: what fails is a
 * fault, and both stand.
 */
export interface News {
  readonly read: (siteId: string, memberId: string) => Promise<NewsRows>;
  /** Writes a row after what it tells has been written. A failure is a fault. */
  readonly tell: (siteId: string, memberId: string, id: string, row: NewsRow) => Promise<void>;
  /** Takes a row away, or writes another one in its place. */
  readonly replace: (siteId: string, memberId: string, id: string, row?: NewsRow) => Promise<void>;
}

interface NewsParts {
  readonly records: { readonly store: RecordStore; readonly afterEnd: AfterEnd[] };
  readonly clients: { readonly findStored: ClientFinder };
  readonly audit: { readonly onFault: OnFault };
}

/** What an end by somebody else is for its person. Other ends are their own, or they are gone. */
const told: Readonly<Record<string, Ending>> = {
  client_blocked: 'off',
  rule_changed: 'off',
  client_disconnected: 'disconnected',
  client_limit: 'disconnected',
  application_changed: 'changed',
  application_removed: 'removed',
};

export function createNews({ records: { store, afterEnd }, clients, audit }: NewsParts): News {
  const replace: News['replace'] = async (siteId, memberId, id, row) => {
    for (let i = 0; i < maxAttempts; i += 1) {
      const found = await store.find(siteId, kind, recordId(memberId));
      const { [id]: _before, ...others } = found?.record.rows ?? {};
      if (!row && !found) return;
      const rows = Object.fromEntries(Object.entries({ [id]: row, ...others }).slice(0, maxRows));
      const record = serializeRecord(kind, { member_id: memberId, rows });
      const entry = { kind, id: recordId(memberId), record, ttl: keptSeconds, replaces: found?.text ?? null } as const;
      if (await store.save(siteId, entry)) return;
    }
    throw new Error(`what is new for a person was changed ${maxAttempts} times by others while one row was written`);
  };
  const tell: News['tell'] = async (siteId, memberId, id, row) => {
    try {
      await replace(siteId, memberId, id, row);
    } catch (cause) {
      audit.onFault('what is new for a person was not written', cause);
    }
  };
  afterEnd.push(async (siteId, memberIds, { reason, clientId, clientName, app }) => {
    const what = ownEntry(told, reason ?? '');
    if (!what || clientId === undefined) return;
    const name = clientName ?? (await nameOf(clients.findStored, siteId, clientId));
    const row = { what, at: epochSeconds(), clientId, clientName: name.slice(0, maxName), app };
    for await (const some of inParts(memberIds, atOnce))
      await Promise.all(some.map((memberId) => tell(siteId, memberId, endingId(clientId), row)));
  });
  return {
    tell,
    replace,
    async read(siteId, memberId) {
      const found = await store.find(siteId, kind, recordId(memberId));
      const since = epochSeconds() - keptSeconds;
      const rows = Object.entries(found?.record.rows ?? {}).flatMap(([id, stored]) => {
        const row = isObject(stored) ? newsRow(stored) : undefined;
        return row && row.at > since ? [[id, row] as const] : [];
      });
      return new Map(rows);
    },
  };
}

function recordId(memberId: string): string {
  return digest(JSON.stringify(['news', memberId])).slice(0, 22);
}

/** One row for each client. */
export function endingId(clientId: string): string {
  return digest(JSON.stringify(['ended', clientId])).slice(0, 22);
}

/** A client that cannot be found now has its id for a name. */
async function nameOf(find: ClientFinder, siteId: string, clientId: string): Promise<string> {
  const found = await find(siteId, clientId, 'identify').catch(() => undefined);
  return describeClient(clientId, found).clientName;
}
