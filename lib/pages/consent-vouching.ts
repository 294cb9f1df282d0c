import type { ClientInfo } from '../core/clients/client.ts';
import type { ClientField } from '../core/offered/grant-type-table.ts';
import { elsewhere, type Elsewhere } from '../features/client-fields.ts';

/** Who asks, and where the browser goes after that. */
export interface Asker {
  readonly client: ClientInfo;
  /** Empty if the program that asks is elsewhere. */
  readonly redirectUri: string;
  /** What lets that program ask without an address. */
  readonly asksBy: readonly ClientField[];
}

/**
 * What a person can know of who asks. The line of trust says it, and what changes data is ticked only for who is vouched for.
 *
 * - `unchecked`: anybody could be behind the name.
 * - `published`: its address is checked, and nobody at the school has looked at it.
 * - `vouched`: the platform, an administrator, or a row of a known program says who it is.
 */
export type Vouching = 'unchecked' | 'published' | 'vouched';

/** RFC 8252 section 8.6: only an https: address belongs to someone. */
export function vouchingFor({ client, redirectUri, asksBy }: Asker): Vouching {
  const { confidential, source, reviewed, program } = client;
  if (isElsewhere({ redirectUri, asksBy }) || !(confidential || redirectUri.startsWith('https:'))) return 'unchecked';
  if (source === 'document') return reviewed ? 'vouched' : 'published';
  return source !== 'registered' || program?.verified === true ? 'vouched' : 'unchecked';
}

/** Whether nobody is sent back, and the page warns of that. */
export function isElsewhere({ redirectUri, asksBy }: Pick<Asker, 'redirectUri' | 'asksBy'>): boolean {
  return redirectUri === '' && elsewhereOf(asksBy).some(({ warnings }) => warnings.length > 0);
}

/** What is said of a grant that starts elsewhere. */
export function elsewhereOf(asksBy: Asker['asksBy']): readonly Elsewhere[] {
  return asksBy.flatMap((field) => elsewhere[field] ?? []);
}
