/** How bad a finding is: something does not work or is not safe, may not be, or is good to know. */
export type Severity = 'error' | 'warning' | 'info';

/** A finding of `campus.diagnose()`. */
export interface Finding {
  /** The id, for example `redis-eviction`. `docs/reference/findings.md` lists the ids of the package, which do not change. */
  readonly id: string;
  readonly severity: Severity;
  /** A description of the finding. It never contains a secret. */
  readonly text: string;
  /** The action to take. */
  readonly fix: string;
}

/** What `campus.diagnose` is to look at, beside what it sees itself. */
export interface DiagnoseOptions {
  /** Origins of schools, for example `https://harbour.example`. @default the last 20 at which there was a request */
  readonly origins?: readonly string[] | undefined;
}

/** All findings by id, with their severity and what to do. */
export type FindingTable<Id extends string = string> = Readonly<Record<Id, readonly [severity: Severity, fix: string]>>;

/** Makes findings of a table. */
export function finder<Id extends string>(table: FindingTable<Id>): (id: Id, text: string) => Finding {
  return (id, text) => {
    const [severity, fix] = table[id];
    return { id, severity, text, fix };
  };
}

/** What `campus.health` finds out. */
export interface HealthOptions {
  /**
   * Also writes: a store that only reads, such as a replica or a full Redis, is not healthy. It writes a record and removes it, since the user
   * of a store may write and not delete. It writes which keys this process has, and other keys of another process are a fault:
   * `keys-differ` in `docs/reference/findings.md`.
   * @default false
   */
  readonly write?: boolean | undefined;
}

/** Whether the store responds. */
export interface Health {
  readonly ok: boolean;
  /** Milliseconds until the store responded or the call failed. */
  readonly milliseconds: number;
  /** Why it is not: what the store says, for example which command is missing. It may name hosts, so show it to operators only. */
  readonly reason?: string;
}
