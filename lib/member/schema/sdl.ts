/**
 * The published schema of the Member API. Fields from separate data sources are nullable, so that the response keeps the
 * others if one fails. Specification: Viewer; Member API.
 */
export const memberSchema = `"""
The access token must have all of these scopes. Otherwise the whole request is refused with 403 insufficient_scope and
nothing is executed. On a type, it applies to every field of the type. For a person who has limited the application to some
items, a scope counts only where honours has their type: the field serves nothing else then.
"""
directive @requiresScopes(scopes: [String!]!, honours: [String!]) on FIELD_DEFINITION | OBJECT | INTERFACE

"A point in time in ISO 8601 and UTC: 2031-03-10T09:00:00.000Z"
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
  "Subscribes the viewer to a topic on a channel, or unsubscribes."
  updateNotificationSubscription(
    topic: String!
    channel: String!
    subscribed: Boolean!
  ): UpdateNotificationSubscriptionPayload @requiresScopes(scopes: ["account:write"])
}

"""
The member to whom the access token belongs, at this school. Fields that return pages take first (1 to 100) and after
(the endCursor of the previous page).
"""
type Viewer {
  "Member identifier."
  id: ID!
  "Name; null if the school does not know it."
  name: String
  "E-mail address; null if there is none, or if the school or the member does not let the app see it."
  email: String
  "Every school at which the viewer has a role."
  schools: [School!]
  "Courses in which the viewer is enrolled."
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
  "The viewer's notification subscriptions."
  notificationSubscriptions: [NotificationSubscription!] @requiresScopes(scopes: ["account:read"])
}

"A school and the viewer's roles there."
type School {
  id: ID!
  name: String!
  "The school's address, for example https://harbour.example."
  origin: String!
  "The viewer's roles there, highest privilege first."
  roles: [String!]!
}

type PageInfo {
  hasNextPage: Boolean!
  "The value of after for the next page."
  endCursor: String
}

${connectionOf('EnrolledCourse')}

type EnrolledCourse {
  slug: String!
  name: String!
  "When access ends; null if it does not end."
  expireDate: DateTime
  "Whether access has no end."
  hasLifetimeAccess: Boolean!
  "The last watched lecture and the position in it."
  lastWatchedLecture: WatchedLecture
}

type WatchedLecture {
  lectureId: ID!
  "The position in the lecture, in seconds."
  positionSeconds: Int!
}

${connectionOf('DigitalProduct')}

type DigitalProduct {
  id: ID!
  slug: String!
  name: String!
  purchasedAt: DateTime!
}

${connectionOf('ConsultingService')}

type ConsultingService {
  id: ID!
  slug: String!
  name: String!
  purchasedAt: DateTime!
}

${connectionOf('EventRegistration')}

type EventRegistration {
  "The event's identifier."
  id: ID!
  slug: String!
  name: String!
  registeredAt: DateTime!
  startsAt: DateTime!
  endsAt: DateTime!
}

${connectionOf('Notification')}

"A notification in the inbox. Reading its content requires account:read."
type Notification {
  id: ID!
  title: String! @requiresScopes(scopes: ["account:read"])
  body: String! @requiresScopes(scopes: ["account:read"])
  "The address that the notification links to."
  url: String @requiresScopes(scopes: ["account:read"])
  createdAt: DateTime!
  "Null if it is unread."
  readAt: DateTime
}

type NotificationSubscription {
  "For example course_updates."
  topic: String!
  "For example email."
  channel: String!
  subscribed: Boolean!
}

"The reason why nothing was changed."
type UserError {
  code: UserErrorCode!
  message: String!
}

enum UserErrorCode {
  "The viewer has no such object."
  NOT_FOUND
}

type MarkNotificationReadPayload {
  "The notification after the change."
  notification: Notification
  userErrors: [UserError!]!
}

type MarkAllNotificationsReadPayload {
  "The number of notifications that were unread."
  markedCount: Int!
  userErrors: [UserError!]!
}

type UpdateNotificationSubscriptionPayload {
  "The subscription after the change."
  subscription: NotificationSubscription
  userErrors: [UserError!]!
}
`;

function connectionOf(node: string): string {
  return `type ${node}Connection {
  nodes: [${node}!]!
  pageInfo: PageInfo!
  "The number of nodes on all pages."
  totalCount: Int!
}`;
}
