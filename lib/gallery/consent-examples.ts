import type { ConsentExample } from '../features/feature-examples.ts';
import type { Site } from '../host/school-platform.ts';
import { consentPage } from '../pages/consent-page.ts';
import type { AlwaysOpen } from '../pages/kit/always-sees.ts';
import type { PageBuilder } from '../pages/kit/pages.ts';
import type { ScopeCatalogue } from '../core/scopes/scopes.ts';
import { clients, exampleTime, people, someScopes } from '../pages/example-clients.ts';

/** What differs from the first consent to an application of a school. */
const many = { identity: 3, read: 5, write: 4 };

export const consentExamples: Readonly<Record<string, ConsentExample>> = {
  first: {},
  operators: { client: clients.ofOperators, asks: many },
  identity: { asks: { identity: 3 } },
  'no-address': { asks: { identity: 3, read: 2 }, more: () => ({ member: people.pupil }) },
  pseudonym: { asks: { identity: 1 }, more: () => ({ pseudonym: true }) },
  again: { more: (scopes) => ({ before: { allowed: new Set(scopes), declined: new Set() } }) },
  more: {
    more: ([openid = '', profile = '', read = '', write = '']) => ({
      before: { allowed: new Set([openid, profile, read]), declined: new Set([write]) },
    }),
  },
  registered: { client: clients.registered, asks: many },
  'every-permission': { client: clients.registered, asks: { identity: 3, read: 99, write: 99 } },
  'registered-ticked': {
    client: clients.registered,
    asks: many,
    more: (scopes) => ({ ticked: new Set(scopes), selected: true }),
  },
  document: { client: clients.document, asks: { identity: 2, read: 3 } },
  approval: {
    client: clients.document,
    asks: many,
    more: (scopes) => ({ scopes: scopes.slice(0, 8), beyond: scopes.slice(8) }),
  },
  changed: { client: clients.document, asks: many, more: () => ({ stale: 'version' }) },
  narrowed: {
    more: (scopes) => ({
      scopes: scopes.slice(0, -1),
      texts: ['Students of this school can let apps view data, but not change it.'],
    }),
  },
  'nothing-ticked': { asks: { read: 1, write: 1 }, more: () => ({ ticked: new Set(), problem: 'consent.none' }) },
  denied: { more: () => ({ scopes: [], denied: true, texts: ['Ask your teacher before you use this one.'] }) },
  'approve-first': { more: () => ({ scopes: [], denied: true, waits: true, asking: 'possible' }) },
  asked: { more: () => ({ scopes: [], denied: true, refusal: 'needs_approval', asking: 'asked', requestsPath: '#' }) },
  'blocked-own': {
    client: clients.document,
    more: () => ({ scopes: [], denied: true, refusal: 'client_blocked', decider: 'school', changePath: '#' }),
  },
  'blocked-platform': {
    more: () => ({ scopes: [], denied: true, refusal: 'client_blocked', decider: 'platform' }),
  },
  blocked: { more: () => ({ scopes: [], denied: true, refusal: 'client_blocked', asking: 'possible' }) },
};

interface ConsentParts {
  readonly catalogue: ScopeCatalogue;
  readonly open: AlwaysOpen;
}

const oneYear = 365 * 24 * 60 * 60;

export function consentExample({ catalogue, open }: ConsentParts, site: Site, example: ConsentExample): PageBuilder {
  const { client = clients.ofMembers, asks = { identity: 2, read: 1, write: 1 }, more } = example;
  const scopes = someScopes(catalogue, client.audience, asks);
  return consentPage({
    site,
    member: client.audience === 'operator' ? people.operator : people.member,
    client,
    scopes,
    beyond: [],
    waits: false,
    before: { allowed: new Set(), declined: new Set() },
    selected: false,
    limits: [],
    texts: [],
    denied: false,
    refusal: undefined,
    redirectUri: client.redirectUris[0] ?? '',
    startPlaces: [],
    shown: '',
    csrf: '',
    action: '#',
    switchAccountUrl: '#',
    open,
    yourApps: '#',
    until: exampleTime + oneYear,
    ...more?.(scopes),
  });
}
