import type { MemberContext } from '../../contracts/member-api.ts';
import type { HostMemberData } from '../host-data.ts';
import type { Deadline } from './deadline.ts';

export interface CallContext extends MemberContext {
  /** Absent if the platform has no `memberData`. */
  readonly data: HostMemberData | undefined;
  readonly deadline: Deadline;
}
