import { featureRecords } from '../features/facts.ts';
import type { RecordKind } from './record.ts';

/** Where records name the person that they are about: paths of members. The records of other kinds are about no person. */
export const recordPeople: Readonly<Partial<Record<RecordKind, readonly string[]>>> = {
  Session: ['accountId'],
  Interaction: ['session.accountId', 'result.login.accountId', 'params.id_token_hint'],
  Grant: ['accountId'],
  AuthorizationCode: ['accountId'],
  AccessToken: ['accountId'],
  RefreshToken: ['accountId'],
  ProgramRequest: ['member_id'],
  PersonDecision: ['member_id'],
  ...Object.fromEntries(
    Object.entries(featureRecords).flatMap(([kind, row]) => ('people' in row ? [[kind, row.people]] : [])),
  ),
};
