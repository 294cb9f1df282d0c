import type { Access } from '../../../core/access/access.ts';
import { clientUse } from '../../../core/access/used-client.ts';
import type { ConnectRequests, OwnRequest } from '../../../core/applications/request.ts';
import type { Connection } from '../../../core/connections/connection.ts';
import { judge } from '../../../core/grants/judged-grants.ts';
import type { NewsItem } from '../../../core/news/news-item.ts';
import type { NewsRow } from '../../../core/news/news-row.ts';
import type { News, NewsRows } from '../../../core/news/news.ts';
import { splitScope } from '../../../core/scopes/scopes.ts';
import type { Member, Site } from '../../../host/school-platform.ts';
import { grantIdOf } from '../../../records/codec.ts';
import type { RecordStore } from '../../../records/record-store.ts';

export interface NewsSources {
  readonly store: RecordStore;
  readonly news: News;
  readonly access: Access;
  readonly requests: ConnectRequests;
}

/** What is new for a person. */
export interface PersonalNews {
  /** What they have not read yet, the latest first: an answer or an end that was written, or a decision on what they asked for. */
  readonly of: (site: Site, member: Member) => Promise<readonly NewsItem[]>;
  /** Connections that a decision has left to their next refresh, and that it refuses: the rule in force says so until then. */
  readonly refused: (site: Site, connections: readonly Connection[]) => Promise<readonly NewsItem[]>;
}

export function personalNews(sources: NewsSources): PersonalNews {
  const { store, news, access, requests } = sources;
  return {
    async of(site, member) {
      const [rows, asked] = await Promise.all([
        news.read(site.id, member.id),
        site.connectionsEnabled ? requests.ofMember(site, member) : [],
      ]);
      const isConnected = async (clientId: string): Promise<boolean> =>
        (await store.find(site.id, 'Grant', grantIdOf(member.id, clientId))) !== undefined;
      const found = await Promise.all([
        ...asked.map((request) => answerIn(request, rows, isConnected)),
        ...[...rows].map(([id, row]) => ended(sources, { site, member, isConnected }, id, row)),
      ]);
      return found.flat().sort((a, b) => b.at - a.at);
    },
    async refused(site, connections) {
      const waiting = connections.filter(({ unjudgedAt }) => unjudgedAt !== undefined);
      const found = await Promise.all(
        waiting.map(async ({ id, clientName, unjudgedAt: at = 0 }): Promise<readonly NewsItem[]> => {
          const grant = (await store.find(site.id, 'Grant', id))?.record;
          if (!grant || judge(await access.permissionAtRefresh(site, grant)) !== 'refused') return [];
          return [{ id: `${connectionNews}${id}`, kind: 'off', clientName, at }];
        }),
      );
      return found.flat();
    },
  };
}

/** Before the id of a connection: what the rule in force says of it. */
export const connectionNews = 'connection:';

/** Whether the person has connected a client. */
type IsConnected = (clientId: string) => Promise<boolean>;

/** An answer to a request, or a decision on its app, that the person has not read; nothing once they have connected it. */
async function answerIn(request: OwnRequest, rows: NewsRows, isConnected: IsConnected): Promise<readonly NewsItem[]> {
  const { id, status, clientName, at, answeredAt, connects, clientId = connects } = request;
  if (status === 'open') return [];
  const row = rows.get(id);
  const isNew = answeredAt === undefined ? row?.what === 'answer' : row?.what !== 'seen' || row.at < answeredAt;
  if (!isNew || (status === 'granted' && clientId !== undefined && (await isConnected(clientId)))) return [];
  const refused = answeredAt === undefined ? 'declined' : 'back';
  return [{ id, kind: status === 'granted' ? 'approved' : refused, clientName, at: answeredAt ?? at, request }];
}

interface Parties {
  readonly site: Site;
  readonly member: Member;
  readonly isConnected: IsConnected;
}

/** An app that somebody else has ended; nothing once the person has connected it again. */
async function ended(
  { access }: NewsSources,
  parties: Parties,
  id: string,
  row: NewsRow,
): Promise<readonly NewsItem[]> {
  if (!('clientId' in row) || (await parties.isConnected(row.clientId))) return [];
  const { what, clientId, clientName, at } = row;
  const kind = what === 'off' && (await letsIn(access, parties, clientId)) ? 'again' : what;
  return [{ id, kind, clientName, at }];
}

/** Whether the person could connect it again now. */
async function letsIn(access: Access, { site, member }: Parties, clientId: string): Promise<boolean> {
  const client = await access.storedClient(site, clientId);
  if (!client || client.isRejected) return false;
  const { metadata } = client;
  const scopes = splitScope(metadata.scope);
  const found = await access.permit({ site, client: clientUse(metadata), member, scopes, at: 'connect' });
  return found.refused === undefined && found.scopes.length > 0;
}
