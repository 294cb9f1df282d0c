import { activityUnder } from '../kit/console.ts';
import { html, type Html, isolated } from '../kit/markup.ts';
import type { EventFilter } from './events.ts';
import type { PeriodName } from './period.ts';
import { type FoundNames, maxId } from './names.ts';
import type { Names } from './sentences.ts';

export interface ActivityQuery extends EventFilter {
  /** Whether to show what apps do to stay connected. */
  readonly technical?: boolean | undefined;
  readonly page?: number | undefined;
  /** Where the log goes on; that of the client, where an app and a client are asked for. */
  readonly cursor?: string | undefined;
  readonly clientCursor?: string | undefined;
  readonly format?: 'csv' | undefined;
  /** Whether days are summed up by app. Without anything else in the address they are. */
  readonly sums?: boolean | undefined;
  /** Whether all entries are shown, of whatever kind. */
  readonly everything?: boolean | undefined;
  readonly when?: PeriodName | undefined;
}

export function activityPath(
  path: string,
  { technical, sums, everything, page = 1, ...filter }: ActivityQuery = {},
): string {
  const { kind = everything === true && 'all' } = filter;
  const query = {
    ...filter,
    kind,
    sums: sums === true && 'yes',
    all: technical === true && 'yes',
    page: page > 1 && page,
  };
  const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
  const search = new URLSearchParams(given).toString();
  return `${path}${activityUnder}${search && `?${search}`}`;
}

/** For administrators: each name leads to its entries. */
export function linkedNames(path: string, { client, person, limits }: FoundNames): Names {
  const link = (name: string, filter: EventFilter): Html =>
    Object.values(filter).some(Boolean) && Object.values(filter).every((id) => id === undefined || id.length <= maxId)
      ? html`<a class="name" href="${activityPath(path, filter)}">${isolated(name)}</a>`
      : isolated(name);
  return {
    limits,
    client(event) {
      const { name, app } = client(event);
      return name === undefined ? undefined : link(name, { app, client: event.clientId ?? undefined });
    },
    person(memberId) {
      const name = person(memberId);
      return name === undefined ? undefined : link(name, { person: memberId });
    },
  };
}
