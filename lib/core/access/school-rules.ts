import { digest } from '../../kernel/crypto.ts';
import type { RecordReader } from '../../records/record-reader.ts';
import type { RecordStore } from '../../records/record-store.ts';
import type { RecordOf } from '../../records/record.ts';
import type { AppTarget } from './app-rule.ts';
import { reviewIn } from './review.ts';
import type { AppRule } from './rule.ts';

/** Nothing for a decision that only approves a version. */
export function ruleOf({ access, ask, roles, scopes, pseudonym, limited }: RecordOf<'AppRule'>): AppRule | undefined {
  return (
    access && {
      access: access === 'ask' ? 'allowed' : access,
      ...((access === 'ask' || ask) && { ask: true }),
      ...(roles && { roles }),
      ...(scopes && { scopes }),
      ...(pseudonym && { pseudonym }),
      ...(limited && { limited }),
    }
  );
}

/** Distinguishes a client from an app of the same id. */
export function targetName(target: AppTarget): string {
  return 'clientId' in target ? `client ${target.clientId}` : `app ${target.app}`;
}

/** What a stored decision is for. */
export function ruleTarget({ client_id: clientId, app = '' }: RecordOf<'AppRule'>): AppTarget {
  return clientId === undefined ? { app } : { clientId };
}

export function ruleId(target: AppTarget): string {
  return digest(targetName(target));
}

/** A client, or only the id of its app. */
export interface RuledClient {
  readonly clientId?: string | undefined;
  readonly app?: string | undefined;
}

/** For what a rule can stand, the one that applies first: the client itself, otherwise its app. */
function targetsOf({ clientId, app }: RuledClient): AppTarget[] {
  return [...(clientId === undefined ? [] : [{ clientId }]), ...(app === undefined ? [] : [{ app }])];
}

/** What a school has said of a client. */
export interface SchoolSays {
  /** The rule that applies. @default it has none */
  readonly rule: AppRule | undefined;
  /** The digest of the version of the client that is approved. @default none is */
  readonly approved?: string | undefined;
}

/** Finds the rule of a school for a client: its own, otherwise that of its app. */
export type SchoolRuleFinder = (siteId: string, client: RuledClient, reader?: RecordReader) => Promise<SchoolSays>;

/** Says that the rule will be asked for. */
export function expectRule(reader: RecordReader, client: RuledClient): void {
  for (const target of targetsOf(client)) reader.expect('AppRule', ruleId(target));
}

export function schoolRules(store: RecordStore): SchoolRuleFinder {
  return async (siteId, client, reader = store.reader(siteId)) => {
    const ids = targetsOf(client).map(ruleId);
    const found = await Promise.all(ids.map((id) => reader.find('AppRule', id)));
    const own = client.clientId === undefined ? undefined : found[0]?.record;
    return {
      rule: found.flatMap((each) => (each && ruleOf(each.record)) ?? [])[0],
      approved: reviewIn(own)?.version?.digest,
    };
  };
}

/** The same in rules that have been read, with the record of each. */
export interface RulesOfSchool {
  readonly recordOf: (target: AppTarget) => RecordOf<'AppRule'> | undefined;
  readonly schoolRule: (client: RuledClient) => AppRule | undefined;
}

export function rulesOfSchool(records: readonly RecordOf<'AppRule'>[]): RulesOfSchool {
  const byName = new Map(records.map((record) => [targetName(ruleTarget(record)), record]));
  const recordOf = (target: AppTarget): RecordOf<'AppRule'> | undefined => byName.get(targetName(target));
  const ruleFor = (target: AppTarget): AppRule | undefined => {
    const record = recordOf(target);
    return record && ruleOf(record);
  };
  return { recordOf, schoolRule: (client) => targetsOf(client).flatMap((target) => ruleFor(target) ?? [])[0] };
}
