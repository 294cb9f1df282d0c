import type { Connection } from '../../../core/connections/connection.ts';
import type { Site } from '../../../host/school-platform.ts';
import { type Html, isolated, type Translator } from '../../../pages/kit/markup.ts';
import { trustOf } from '../../../pages/kit/trust.ts';

/** Who is behind a connected app, with its website if somebody whom the school trusts has named it. */
export function connectionTrust(t: Translator, { name: school }: Site, connection: Connection): Html {
  const { source, host, app: known } = connection;
  const isMade = source === 'static' || source === 'application';
  const website = isMade && host !== undefined && t.html('connected.website', { host: isolated(host) });
  return trustOf(t, school, { ...connection, known }, website);
}
