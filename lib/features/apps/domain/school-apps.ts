import type { ClientAudience, ClientSource, AppInfo } from '../../../core/clients/client.ts';
import type { WayIn } from '../../../core/access/app.ts';
import type { IdentifiedClient } from '../../../core/access/client-rows.ts';
import type { ListedApp } from '../../../core/apps/apps.ts';
import type { AppTarget } from '../../../core/access/app-rule.ts';
import { isKnownAppId, knownApp } from '../../../core/known-apps/known-apps.ts';
import type { Site } from '../../../host/school-platform.ts';
import { possibleScopes } from './possible-scopes.ts';
import type { Scope } from '../../../core/scopes/scopes.ts';
import { type Describing, describeTargets, type Stored } from './listed-apps.ts';

/** An app as administrators see it: all that they decide on at once. */
export interface SchoolApp extends ListedApp {
  /** Where its metadata comes from; absent for a known app that nobody has connected. */
  readonly source?: ClientSource | undefined;
  readonly audience?: ClientAudience | undefined;
  readonly host?: string | undefined;
  readonly firstParty?: boolean | undefined;
  /** What is known of its app, and whether that is verified. */
  readonly known?: AppInfo | undefined;
  readonly lastActiveAt?: number | undefined;
  /** When the school has added it. */
  readonly createdAt?: number | undefined;
  /** What it can get at most, by its status and rule. */
  readonly canGet: readonly Scope[];
}

/** What is known of the use of an app. */
export interface AppUse {
  readonly lastActiveAt?: number | undefined;
  /** @default as its clients say */
  readonly connectedAt?: number | undefined;
  /** Clients: when the school has added it. */
  readonly createdAt?: number | undefined;
  /** Apps: whether people have connected it, and whether all of their clients are verified to be it. */
  readonly isUsed?: boolean | undefined;
  readonly verified?: boolean | undefined;
}

export async function describeApps(
  options: Describing,
  site: Site,
  known: Stored,
  targets: readonly AppTarget[],
  uses: readonly AppUse[],
): Promise<SchoolApp[]> {
  const describe = remembered(options.describe);
  const listed = await describeTargets({ ...options, describe }, site, known, targets);
  return Promise.all(
    listed.map(async (row, i) => {
      const { clientId, app: id = '' } = row;
      const { lastActiveAt, createdAt, connectedAt = row.connectedAt, ...use } = uses[i] ?? {};
      const { sources, waysOf } = options.rules;
      if (clientId === undefined) {
        const audiences = waysOf(id).map((way) => way.audience);
        const canGet = possibleScopes(sources.catalogue, row, { audiences });
        return { ...row, ...knownAppFacts(waysOf(id), id, use), lastActiveAt, connectedAt, canGet };
      }
      const { client, scopes } = await describe(clientId);
      const { source, audience, host, firstParty, app } = client;
      const canGet = possibleScopes(sources.catalogue, row, { audiences: [audience], scopes });
      return { ...row, source, audience, host, firstParty, known: app, lastActiveAt, connectedAt, createdAt, canGet };
    }),
  );
}

/** It is verified by the clients that people have connected, otherwise by the ways in which it can become one. */
export function knownAppFacts(
  ways: readonly WayIn[],
  id: string,
  { isUsed = false, verified = ways.every(({ identity }) => identity.verified) }: AppUse,
): Pick<SchoolApp, 'source' | 'known'> {
  const source = isUsed ? 'registered' : undefined;
  if (!isKnownAppId(id)) return { source };
  const { name, publisher } = knownApp(id);
  return { source, known: { id, name, publisher, verified } };
}

function remembered(
  describe: (clientId: string) => Promise<IdentifiedClient>,
): (clientId: string) => Promise<IdentifiedClient> {
  const found = new Map<string, Promise<IdentifiedClient>>();
  return (clientId) => {
    const before = found.get(clientId) ?? describe(clientId);
    found.set(clientId, before);
    return before;
  };
}
