/**
 * The schema of the Member API, as it is published. Fields that may fail on their own are nullable, so that one data
 * source that is away does not take the rest of an answer with it. Specification: Viewer; Member API.
 */
export const memberSchema: string = `"""
The access token must have all of these scopes, or the whole request is refused with 403 insufficient_scope before
anything is run. On a type it guards every field of the type.
"""
directive @requiresScopes(scopes: [String!]!) on FIELD_DEFINITION | OBJECT | INTERFACE

"A moment, in ISO 8601 and UTC: 2031-03-10T09:00:00.000Z"
scalar DateTime

type Query {
  "The signed-in member."
  viewer: Viewer!
}

type Mutation {
  "Marks one notification of the viewer as read."
  markNotificationRead(id: ID!): MarkNotificationReadPayload @requiresScopes(scopes: ["account:write"])
  "Marks every notification of the viewer as read."
  markAllNotificationsRead: MarkAllNotificationsReadPayload @requiresScopes(scopes: ["account:write"])
  "Says whether the viewer wants to hear of a topic over a channel."
  updateNotificationSubscription(
    topic: String!
    channel: String!
    subscribed: Boolean!
  ): UpdateNotificationSubscriptionPayload @requiresScopes(scopes: ["account:write"])
}

"""
The member whom the access token stands for, at this school. Fields that come in pages take first, 1 to 100, and after,
the endCursor of the page before.
"""
type Viewer {
  "Member identifier."
  id: ID!
  name: String!
  "E-mail address."
  email: String!
  "Every school at which the viewer holds a role."
  schools: [School!]
  "Courses that the viewer is enrolled in."
  enrolledCourses(first: Int! = 20, after: String): EnrolledCourseConnection
  "Digital products that the viewer bought."
  digitalProducts(first: Int! = 20, after: String): DigitalProductConnection
  "Consulting services that the viewer bought."
  consultingServices(first: Int! = 20, after: String): ConsultingServiceConnection
  "Events that the viewer registered for."
  eventRegistrations(first: Int! = 20, after: String): EventRegistrationConnection
  "The viewer's inbox, newest first."
  notifications(first: Int! = 20, after: String): NotificationConnection @requiresScopes(scopes: ["account:read"])
  "How many notifications the viewer has not read."
  unreadNotificationCount: Int @requiresScopes(scopes: ["account:read"])
  "What the viewer wants to be told about, and how."
  notificationSubscriptions: [NotificationSubscription!] @requiresScopes(scopes: ["account:read"])
}

"A school, and what the viewer is there."
type School {
  id: ID!
  name: String!
  "The school's address, for example https://harbour.example."
  origin: String!
  "The viewer's roles there, the highest privilege first."
  roles: [String!]!
}

type PageInfo {
  hasNextPage: Boolean!
  "What to send as after for the next page."
  endCursor: String
}

type EnrolledCourseConnection {
  nodes: [EnrolledCourse!]!
  pageInfo: PageInfo!
  "How many there are on all pages."
  totalCount: Int!
}

type EnrolledCourse {
  slug: String!
  name: String!
  "When access ends."
  expireDate: DateTime
  "Access without expiry."
  hasLifetimeAccess: Boolean!
  "Where the viewer stopped watching."
  lastWatchedLecture: WatchedLecture
}

type WatchedLecture {
  lectureId: ID!
  "Seconds from the start of the lecture."
  positionSeconds: Int!
}

type DigitalProductConnection {
  nodes: [DigitalProduct!]!
  pageInfo: PageInfo!
  "How many there are on all pages."
  totalCount: Int!
}

type DigitalProduct {
  id: ID!
  slug: String!
  name: String!
  purchasedAt: DateTime!
}

type ConsultingServiceConnection {
  nodes: [ConsultingService!]!
  pageInfo: PageInfo!
  "How many there are on all pages."
  totalCount: Int!
}

type ConsultingService {
  id: ID!
  slug: String!
  name: String!
  purchasedAt: DateTime!
}

type EventRegistrationConnection {
  nodes: [EventRegistration!]!
  pageInfo: PageInfo!
  "How many there are on all pages."
  totalCount: Int!
}

type EventRegistration {
  "The event's identifier."
  id: ID!
  slug: String!
  name: String!
  registeredAt: DateTime!
  startsAt: DateTime!
  endsAt: DateTime!
}

type NotificationConnection {
  nodes: [Notification!]!
  pageInfo: PageInfo!
  "How many there are on all pages."
  totalCount: Int!
}

"An entry of the inbox. To read what it says takes account:read, wherever it is reached."
type Notification {
  id: ID!
  title: String! @requiresScopes(scopes: ["account:read"])
  body: String! @requiresScopes(scopes: ["account:read"])
  "Where it leads."
  url: String @requiresScopes(scopes: ["account:read"])
  createdAt: DateTime!
  "Null while it is unread."
  readAt: DateTime
}

type NotificationSubscription {
  "For example course_updates."
  topic: String!
  "For example email."
  channel: String!
  subscribed: Boolean!
}

"Why nothing was changed."
type UserError {
  code: UserErrorCode!
  message: String!
}

enum UserErrorCode {
  "The viewer has nothing of this name."
  NOT_FOUND
}

type MarkNotificationReadPayload {
  "The notification as it is now."
  notification: Notification
  userErrors: [UserError!]!
}

type MarkAllNotificationsReadPayload {
  "How many had not been read."
  markedCount: Int!
  userErrors: [UserError!]!
}

type UpdateNotificationSubscriptionPayload {
  "The subscription as it is now."
  subscription: NotificationSubscription
  userErrors: [UserError!]!
}
`;
