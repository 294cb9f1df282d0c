import type { ProgramAccess, ProgramRule } from '../clients/client-status.ts';
import type { RecordOf } from '../../records/record.ts';

type StoredAccess = Pick<RecordOf<'ProgramRule'>, 'access' | 'asks' | 'limited' | 'limited_access'>;

/** In words of the release before, for which nothing may be milder: it knows no approval for each person, and no limit that a school demands. */
const stored: Readonly<Record<ProgramAccess, StoredAccess>> = {
  allowed: { access: 'allowed' },
  view_only: { access: 'approval' },
  ask: { access: 'blocked', asks: true },
  blocked: { access: 'blocked' },
};

export function storedAccess({ access, limited }: ProgramRule): StoredAccess {
  return limited ? { access: 'blocked', limited, limited_access: access } : stored[access];
}

export function accessIn({ access, asks, limited_access: limitedAccess }: StoredAccess): ProgramAccess {
  if (limitedAccess !== undefined) return limitedAccess;
  if (access === 'approval') return 'view_only';
  return asks ? 'ask' : access;
}
