import type { JsonObject } from '../contracts/json.ts';
import { optional, text } from './members.ts';

/** What a form has created, or the credentials that wait for the page that shows them. */
export interface OneTimeSecretRecord {
  readonly client_id: string;
  /** Of a form: the id of the record that has the credentials. */
  readonly secret?: string | undefined;
  /** Absent after they were shown. */
  readonly sealed?: string | undefined;
  /** Instead of that: which request has shown them. */
  readonly shown?: string | undefined;
}

export function oneTimeSecretRecord(record: JsonObject): OneTimeSecretRecord {
  return {
    client_id: text(record, 'client_id'),
    secret: optional(record, 'secret', text),
    sealed: optional(record, 'sealed', text),
    shown: optional(record, 'shown', text),
  };
}
