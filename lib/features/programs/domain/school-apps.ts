import type { ClientAudience, ClientSource, ProgramInfo } from '../../../core/clients/client.ts';
import type { DescribedClient } from '../../../core/clients/listed-client.ts';
import type { ListedProgram, ProgramTarget } from '../../../core/decisions/program-rule.ts';
import { isProgramId, knownProgram } from '../../../core/known-programs/known-programs.ts';
import type { Site } from '../../../host/school-platform.ts';
import { type Describing, describeTargets, type Stored } from './listed-programs.ts';

/** An app as administrators see it: all that they decide on at once. */
export interface SchoolApp extends ListedProgram {
  /** Where its metadata comes from; absent for a known program that nobody has connected. */
  readonly source?: ClientSource | undefined;
  readonly audience?: ClientAudience | undefined;
  readonly host?: string | undefined;
  readonly firstParty?: boolean | undefined;
  /** What is known of its program, and whether that is verified. */
  readonly known?: ProgramInfo | undefined;
  readonly lastActiveAt?: number | undefined;
  /** When the school has added it. */
  readonly createdAt?: number | undefined;
}

/** What is known of the use of an app. */
export interface AppUse {
  readonly lastActiveAt?: number | undefined;
  /** Clients: when the school has added it. */
  readonly createdAt?: number | undefined;
  /** Programs: whether people have connected it, and whether all of their clients are verified to be it. */
  readonly isUsed?: boolean | undefined;
  readonly verified?: boolean | undefined;
}

export async function describeApps(
  options: Describing,
  site: Site,
  known: Stored,
  targets: readonly ProgramTarget[],
  uses: readonly AppUse[],
): Promise<SchoolApp[]> {
  const describe = remembered(options.describe);
  const listed = await describeTargets({ ...options, describe }, site, known, targets);
  return Promise.all(
    listed.map(async (app, i) => {
      const { clientId, program: id = '' } = app;
      const { lastActiveAt, createdAt, ...use } = uses[i] ?? {};
      if (clientId === undefined) return { ...app, ...programFacts(id, use), lastActiveAt };
      const { source, audience, host, firstParty, program } = await describe(clientId);
      return { ...app, source, audience, host, firstParty, known: program, lastActiveAt, createdAt };
    }),
  );
}

/** It is verified unless a client only claims to be it. */
function programFacts(id: string, { isUsed = false, verified = true }: AppUse): Partial<SchoolApp> {
  const source = isUsed ? 'registered' : undefined;
  if (!isProgramId(id)) return { source };
  const { name, publisher } = knownProgram(id);
  return { source, known: { id, name, publisher, verified } };
}

function remembered(
  describe: (clientId: string) => Promise<DescribedClient>,
): (clientId: string) => Promise<DescribedClient> {
  const found = new Map<string, Promise<DescribedClient>>();
  return (clientId) => {
    const before = found.get(clientId) ?? describe(clientId);
    found.set(clientId, before);
    return before;
  };
}
