import { digest } from '../../kernel/crypto.ts';
import type { RecordStore } from '../../records/record-store.ts';
import type { ProgramTarget, RuledProgram } from './program-rule.ts';
import { targetName } from './program-rules.ts';

/** Whether a school has allowed a client, or its program, for this person. */
export type PersonDecisionFinder = (
  siteId: string,
  client: { readonly clientId?: string | undefined; readonly program?: RuledProgram | undefined },
  memberId: string,
) => Promise<boolean>;

export function personDecisionId(target: ProgramTarget, memberId: string): string {
  return digest(`${targetName(target)} for ${memberId}`);
}

export function personDecisions(store: RecordStore): PersonDecisionFinder {
  return async (siteId, { clientId, program }, memberId) => {
    const targets = [...(clientId === undefined ? [] : [{ clientId }]), ...(program ? [{ program: program.id }] : [])];
    const found = await Promise.all(
      targets.map((target) => store.find(siteId, 'PersonDecision', personDecisionId(target, memberId))),
    );
    return found.some((each) => each !== undefined);
  };
}
