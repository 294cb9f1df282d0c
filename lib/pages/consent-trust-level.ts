import type { ClientInfo } from '../core/clients/client.ts';
import { isVerified } from './kit/trust.ts';
import type { StartPlace } from '../core/enabled/grant-type.ts';

/** Who asks, and where the browser goes after that. */
export interface Asker {
  readonly client: ClientInfo;
  /** Empty if the request has none: the app waits on another device. */
  readonly redirectUri: string;
  /** Where that app asks, without an address. */
  readonly startPlaces: readonly StartPlace[];
}

/**
 * What a person can know of who asks. The line of trust says it, and what changes data is ticked only for whom somebody knows.
 *
 * - `unchecked`: anybody could be behind the name.
 * - `published`: its address is checked, and nobody at the school has looked at it.
 * - `known`: the platform, an administrator, or a row of a known app says who it is.
 */
export type TrustLevel = 'unchecked' | 'published' | 'known';

/** RFC 8252 section 8.6: only an https: address belongs to someone. */
export function trustFor({ client, redirectUri, startPlaces }: Asker): TrustLevel {
  const { confidential, source, reviewed, app } = client;
  if (startedWithoutRedirect(redirectUri, startPlaces) || !(confidential || redirectUri.startsWith('https:')))
    return 'unchecked';
  if (source === 'document') return reviewed ? 'known' : 'published';
  return isVerified({ source, known: app }) ? 'known' : 'unchecked';
}

/** Whether nobody is sent back, and the page warns of that. */
export function startedWithoutRedirect(redirectUri: string, startPlaces: readonly StartPlace[]): boolean {
  return redirectUri === '' && startPlaces.some(({ warnings }) => warnings.length > 0);
}
