export type {
  GraphiqlOptions,
  MemberApiOptions,
  MemberContext,
  MemberResolver,
  MemberResolvers,
  RenderGraphiql,
} from '../plugin-contract/member-api.ts';
export type {
  CallOptions,
  DataPage,
  EnrolledCourse,
  EventRegistration,
  Instant,
  MemberData,
  PartialMemberData,
  MemberQuery,
  MemberSchool,
  Notification,
  NotificationSubscription,
  PagedMemberQuery,
  PageRequest,
  Purchase,
  WatchedLecture,
} from '../host/member-data.ts';
export { memberApi } from './member-api.ts';
