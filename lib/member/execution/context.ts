import type { MemberContext } from '../../contracts/member-api.ts';
import type { HostMemberData } from '../host-data.ts';
import type { Deadline } from './deadline.ts';

/** The context of our own resolvers: what everyone's see, and where the data is. */
export interface CallContext extends MemberContext {
  /** Absent where the platform serves none. */
  readonly data: HostMemberData | undefined;
  readonly deadline: Deadline;
}
