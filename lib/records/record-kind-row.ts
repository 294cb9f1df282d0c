import type { JsonObject } from '../kernel/json.ts';

/** What the types of members in the table stand for; an array lists the texts that a member can be. */
export interface MemberTypes {
  readonly string: string;
  readonly number: number;
  readonly boolean: boolean;
  readonly strings: readonly string[];
  readonly object: JsonObject;
  /** Lists of texts by name. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
}

export type MemberType = keyof MemberTypes | readonly string[];

/** A row of the table. Members that it does not list are kept. Times are seconds since the epoch, scopes are space-separated. */
export interface RecordKindRow {
  /** The letter of its keys in Redis: one, since Redis keeps each key whole, and a platform has millions of them. */
  readonly key: string;
  /** The letter of the hash in Redis that has its listed records. @default they cannot be listed */
  readonly list?: string;
  /** Some of its records are not listed. @default all are, if they can be */
  readonly unlisted?: boolean;
  /** The id is a credential, which a store sees only as its digest. @default false */
  readonly secret?: boolean;
  /** A code or token, and whether it can be redeemed. @default neither */
  readonly token?: 'redeemable' | 'reusable';
  /** The engine reads it, so its members have the engine's names. @default false */
  readonly engine?: boolean;
  /** Members of the engine's payload that are not stored: nothing reads them, or they are computed again. @default not written by the engine */
  readonly unread?: readonly string[];
  /** Where it names the person that it is about: paths of members. @default it is about no person */
  readonly people?: readonly string[];
  readonly members: Readonly<Record<string, MemberType>>;
  readonly optional?: Readonly<Record<string, MemberType>>;
}
