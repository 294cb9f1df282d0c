import type { Message } from '../features/feature-examples.ts';
import { connectAgainPage } from '../pages/connect-again-page.ts';
import { connectedPage, expiredPage } from '../interaction/ended.ts';
import { personChangedPage, signInAgainPage } from '../interaction/routes.ts';
import { blockedPage, errorPage, forbiddenPage } from '../pages/kit/error-page.ts';
import { BlockedClient } from '../core/clients/blocked-client.ts';
import { slowDown } from '../core/limits/request-limiters.ts';
import {
  InvalidClient,
  InvalidClientMetadata,
  InvalidRedirectUri,
  InvalidRequest,
  OAuthError,
  ServerError,
  TemporarilyUnavailable,
} from '../kernel/errors.ts';
import { people } from '../pages/example-clients.ts';

/** A page that goes no further. It shows what the request received. */
function ofError(error: OAuthError): Message {
  return (ctx, { name }) => errorPage(error, ctx, { school: name });
}

const misdirected = new InvalidRedirectUri('redirect_uri is not registered for this client');
const blocked = new BlockedClient('this school has blocked the client', 'planner.example', 'school');

const links = { switchAccountUrl: '#', back: '#' };

/** What a developer sees of the request. */
export const receivedQuery = 'client_id=timer&redirect_uri=https%3A%2F%2Ftimer.example%2Fcallback';

export const messages: Readonly<Record<string, Message>> = {
  'error-request': ofError(new InvalidRequest('code_challenge is missing; it is required')),
  'error-client': ofError(new InvalidClient('there is no client timer')),
  'error-metadata': ofError(new InvalidClientMetadata('client_name must be a string')),
  'error-redirect': (ctx, { name }) => errorPage(misdirected, ctx, { school: name, app: 'Study Timer' }),
  'error-redirect-unknown': ofError(misdirected),
  'error-blocked': (ctx, { name }) => blockedPage(blocked, ctx, { school: name }),
  'error-busy': ofError(new OAuthError('slow_down', 'too many requests', { status: 429 })),
  'error-busy-minutes': ofError(slowDown(42 * 60)),
  'error-fault': ofError(new ServerError(undefined)),
  'error-host': ofError(new TemporarilyUnavailable('the document cannot be fetched', { host: 'planner.example' })),
  'consent-expired': () => expiredPage,
  'consent-again': () => connectAgainPage({ clientName: 'Study Timer', action: '', csrf: '', shown: '' }),
  'consent-answered': () => connectedPage('Study Timer', '#'),
  'person-changed': () =>
    personChangedPage({ person: people.operator, other: people.member, signInUrl: '#', restartUrl: '#' }),
  'person-changed-no-address': () =>
    personChangedPage({ person: people.pupil, other: people.member, signInUrl: '#', restartUrl: '#' }),
  'person-changed-unknown': () =>
    personChangedPage({ person: undefined, other: undefined, signInUrl: '#', restartUrl: '#' }),
  'sign-in-again': () => signInAgainPage('#'),
  'forbidden-operator': (_ctx, site) => forbiddenPage(site, people.member, 'forbidden.client', links),
  'forbidden-member': (_ctx, site) => forbiddenPage(site, people.nobody, 'forbidden.member', links),
  'forbidden-unknown': (_ctx, site) => forbiddenPage(site, undefined, 'forbidden.member', links),
};
