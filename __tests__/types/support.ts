import type { CampusKeys, MaybePromise } from 'campus-oidc';

type IsAny<T> = 0 extends 1 & T ? true : false;

/** Whether two types are the same: neither is `any`, and each is assignable to the other. */
type Equal<A, B> = IsAny<A> extends true ? false : [A, B] extends [B, A] ? true : false;

/** `same<A, B>(true)` compiles only if the types are the same. */
export function same<A, B>(proof: Equal<A, B>): Equal<A, B> {
  return proof;
}

export declare const keys: CampusKeys;

/** A school of the platform: what `Site` needs, and a plan. */
export interface School {
  readonly id: string;
  readonly origin: string;
  readonly name: string;
  readonly connectionsEnabled: boolean;
  readonly plan: 'free' | 'pro';
}

/** A person of the platform: what `Member` needs, and a year. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly roles: readonly string[];
  readonly birthYear: number;
}

export declare const schools: { byOrigin(origin: string): Promise<School | undefined> };

export declare const people: { at(school: School, id: string): MaybePromise<Person | null> };
