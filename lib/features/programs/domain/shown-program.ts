import { usedProgram } from '../../../core/decisions/allowance.ts';
import type { RuledProgram } from '../../../core/decisions/program-rule.ts';
import type { ProgramRuleFinders } from '../../../core/decisions/program-rules.ts';
import type { ClientVersions } from '../../../core/reviews/client-versions.ts';
import type { RecordStore } from '../../../records/record-store.ts';

export interface ShownProgramSources {
  readonly store: RecordStore;
  readonly versions: ClientVersions;
  readonly rules: ProgramRuleFinders;
}

/** The program of a client that people were shown, without fetching its document. */
export async function shownProgram(
  { store, versions, rules: { programIdOf } }: ShownProgramSources,
  siteId: string,
  clientId: string,
): Promise<RuledProgram | undefined> {
  const known = versions.programOf(clientId)?.id ?? programIdOf(clientId);
  if (known !== undefined) return { id: known, verified: true };
  return usedProgram((await store.find(siteId, 'Client', clientId))?.record.campus_program);
}
