import type { AuditEvent } from '../observe/audit-event.ts';
import type { DescribedClient } from '../core/clients/listed-client.ts';
import type { AppRequest } from '../core/applications/request.ts';
import type { MaybePromise, Member, Site } from '../host/school-platform.ts';

/** The audit event, with the person, client and request that it names. */
export interface HookEvent<School extends Site = Site, Person extends Member = Member> extends AuditEvent {
  /** The school. */
  readonly site: School;
  /** The person of `memberId`. Absent without one, after they have left the school, or while the platform fails. */
  readonly member?: Person | undefined;
  /** The client of `clientId`, in its current state. Absent without one. */
  readonly client?: DescribedClient | undefined;
  /** The request of a member that was made or decided. Absent from other events. */
  readonly request?: AppRequest | undefined;
}

/**
 * Is called after something has happened: it delays no response and changes none. If it throws or takes longer than 10
 * seconds, that is a fault which names it.
 */
export type Hook<School extends Site = Site, Person extends Member = Member> = (
  event: HookEvent<School, Person>,
) => MaybePromise<void>;

/**
 * Functions that are called after an event. Ten calls run at the same time in a process, and 1,000 wait. Later calls are dropped, and a
 * fault reports their number. Each is called once, after the event. Waiting calls are lost when the process ends: read `campus.log.read`, an
 * outbox, where an event must not be lost.
 */
export interface CampusHooks<School extends Site = Site, Person extends Member = Member> {
  /**
   * A person allowed a client to connect, gave it more permissions, or changed its limits (`only`). `first` means that they had no
   * connection with it. @default none
   */
  readonly connected?: Hook<School, Person> | undefined;
  /** The member, the school or your platform ended connections: one of `member`, or as many as `connections` says. @default none */
  readonly disconnected?: Hook<School, Person> | undefined;
  /**
   * A metadata document now waits for a review: it was shown for the first time, or an approved one has changed. Or a member asked for an
   * application, with `request`. @default none
   */
  readonly requested?: Hook<School, Person> | undefined;
  /**
   * An administrator decided about an app or about the `request` of a member. `outcome` is the decision, and `rule` the new rule, if the
   * app has one. @default none
   */
  readonly reviewed?: Hook<School, Person> | undefined;
}
