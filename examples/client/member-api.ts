import * as openid from 'openid-client';

const query = `{
  viewer {
    id
    name
    schools { name origin roles }
    enrolledCourses(first: 10) {
      nodes { slug name expireDate hasLifetimeAccess lastWatchedLecture { lectureId positionSeconds } }
      totalCount
    }
    digitalProducts { nodes { name purchasedAt } }
    consultingServices { nodes { name purchasedAt } }
    eventRegistrations { nodes { name startsAt endsAt } }
    notifications(first: 3) { nodes { id title createdAt readAt } }
    unreadNotificationCount
    notificationSubscriptions { topic channel subscribed }
  }
}`;

/** Queries the member of the access token. A token without the scopes for a field gets 403. */
export async function askViewer(config: openid.Configuration, issuer: string, accessToken: string): Promise<unknown> {
  const response = await openid.fetchProtectedResource(
    config,
    accessToken,
    new URL('/member/graphql', issuer),
    'POST',
    JSON.stringify({ query }),
    new Headers({ 'content-type': 'application/json', accept: 'application/graphql-response+json' }),
  );
  const result: unknown = await response.json();
  if (!response.ok) throw new Error(`the Member API responded with ${response.status}: ${JSON.stringify(result)}`);
  return result;
}
