export type {
  MemberApiLimits,
  MemberApiOptions,
  MemberContext,
  MemberResolver,
  MemberResolvers,
} from '../contracts/member-api.ts';
export type {
  CallOptions,
  DataPage,
  EnrolledCourse,
  EventRegistration,
  Instant,
  MemberData,
  MemberQuery,
  MemberSchool,
  Notification,
  NotificationSubscription,
  PagedMemberQuery,
  PageRequest,
  Purchase,
  WatchedLecture,
} from '../contracts/member-data.ts';
export type { MemberApiPlugin } from '../contracts/plugin.ts';
export { memberApi } from './member-api.ts';
