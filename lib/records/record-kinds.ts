import { engineRecordKinds } from './engine-record-kinds.ts';
import type { RecordKindRow } from './record-kind-row.ts';

const ownRecordKinds = {
  // It has no grant before a person has decided, so the code that is redeemed is a separate record.
  /**
   * A request of a device: its scopes, address and user agent, the person who decided, and the digests of both codes.
   *
   * Kept 30 minutes, which is twice as long as its code is valid.
   */
  DeviceRequest: {
    key: 'h',
    secret: true,
    people: ['accountId', 'params.id_token_hint'],
    members: { exp: 'number' },
    optional: {
      /** In the record of a user code, which has nothing else: the id of the record of its device. */
      device: 'string',
      clientId: 'string',
      params: 'object',
      deviceInfo: 'object',
      /** The person who has allowed it. */
      accountId: 'string',
      error: 'string',
      /** When it was decided. */
      at: 'number',
      /** Which request has decided: another one does not count as the same. */
      attempt: 'string',
    },
  },
  /**
   * The digest of a device code that a person has allowed.
   *
   * Kept until its code would have expired.
   */
  DeviceCode: {
    key: 'j',
    secret: true,
    token: 'redeemable',
    engine: true,
    people: ['accountId'],
    unread: ['iat', 'sessionUid', 'params', 'userCode', 'inFlight', 'deviceInfo'],
    members: { accountId: 'string', clientId: 'string' },
  },
  // Metadata under RFC 7591 names, and under `campus_` names what this package adds.
  /**
   * A registered client, or an application with the digest of its secret. An application also has its creator, until that person is erased.
   *
   * A registered client is kept 24 hours, or after a consent as long as the grant. An application is kept until it is removed.
   */
  Client: {
    key: 'c',
    list: 'l',
    unlisted: true,
    engine: true,
    members: { client_id: 'string' },
    optional: {
      client_name: 'string',
      redirect_uris: 'strings',
      scope: 'string',
      client_uri: 'string',
      client_id_issued_at: 'number',
      /** The SHA-256 of the secret, and of the one before it, which is valid until a time. */
      client_secret: 'string',
      campus_previous_secret: 'string',
      campus_previous_until: 'number',
      campus_audience: ['operator', 'member', 'service'],
      campus_source: ['registered', 'application', 'document'],
      campus_first_party: 'boolean',
      /** The app as the policy named it that admitted the client. */
      campus_app: 'object',
      /** What a sign-in client has beside what every client has. */
      campus_sign_in: 'object',
      /** The member who created an application, if that is known. */
      campus_created_by: 'string',
      /** When an application was last changed, and the member who did that, if that is known. */
      campus_changed_at: 'number',
      campus_changed_by: 'string',
      /** An application lost a scope, and its connections from before have not been ended yet. */
      campus_narrowed: 'boolean',
    },
  },
  /**
   * A public metadata document, for all schools: the last good copy, or the digest of one that was withdrawn.
   *
   * Kept 24 hours, or after a consent or approval as long as the grant and 7 days.
   */
  Document: {
    key: 'd',
    members: {
      digest: 'string',
      /** When the digest last changed; 0 if it never did. */
      since: 'number',
      fetchedAt: 'number',
      freshUntil: 'number',
    },
    optional: {
      document: 'object',
      /** Absent until a person allows its client or an administrator approves it, at any school. */
      usedUntil: 'number',
    },
  },
  /**
   * The version of a document that operators of a school saw.
   *
   * Kept until it is removed, at most 1,000 without a decision.
   */
  DocumentReview: {
    key: 'v',
    list: 'w',
    members: {
      client_id: 'string',
      /** The version that was shown. */
      digest: 'string',
      /** When it was shown. */
      at: 'number',
    },
    optional: {
      client_name: 'string',
      redirect_uris: 'strings',
      /** The last changed version of which the school's audit log has learned. */
      reported: 'string',
    },
  },
  /**
   * A school's decision about an app or client: who made it, when, why, and for which version.
   *
   * Kept until it is reset.
   */
  AppRule: {
    key: 'b',
    list: 'k',
    members: { at: 'number' },
    optional: {
      client_id: 'string',
      app: 'string',
      /** Absent from a decision that only approves a version: the rule is that of the app. `ask`: `allowed`, for people who are allowed one by one. */
      access: ['allowed', 'view_only', 'ask', 'blocked'],
      /** Beside another word: people need an approval one by one. */
      ask: 'boolean',
      roles: 'strings',
      scopes: 'strings',
      /** The types of boundary for which each person must choose items. */
      limited: 'strings',
      /** People have pseudonyms. */
      pseudonym: 'boolean',
      /** It took something away, and some connections from before may be left. */
      ending: 'boolean',
      /** The member who decided, if that is known, and what they wrote. */
      by: 'string',
      note: 'string',
      /** The version of the client that is approved: digest, name, redirect URIs, logo and its digest, and scopes if they are not all. */
      approved: 'object',
      /** The incidents that block it, and the text of the rule that the school had before. */
      incidents: 'strings',
      before: 'string',
    },
  },
  /**
   * A person whom the school allowed to connect an app that needs an approval for each person.
   *
   * Kept until it is reset.
   */
  AllowedPerson: {
    key: 'P',
    list: 'Q',
    people: ['member_id'],
    members: { member_id: 'string', at: 'number' },
    optional: { client_id: 'string', app: 'string', by: 'string', note: 'string' },
  },
  // `at` is when it last received consent or tokens, and may be a day old; `since`, when it first did. `secrets` has, for each secret that it used lately, the start of the
  // digest and the time. A client that registered itself has `app`; the other members are there for searching the lists of all other clients.
  /**
   * A client that people connected, and the day of its last tokens.
   *
   * Kept until it is removed, at most 5,000.
   */
  ConnectedClient: {
    key: 'u',
    list: 'y',
    members: { client_id: 'string', at: 'number' },
    optional: {
      since: 'number',
      app: 'string',
      secrets: 'strings',
      client_name: 'string',
      campus_audience: ['operator', 'member', 'service'],
      campus_app: 'object',
    },
  },
  // `at` is when one of them last received consent or tokens, and may be a day old; `since`, when one first did.
  /**
   * An app with many clients, and the day of its last tokens.
   *
   * Kept until the school leaves, at most two for each app.
   */
  ConnectedApp: { key: 'U', list: 'V', members: { at: 'number' }, optional: { since: 'number' } },
  // `at` is when it was last made or decided.
  /**
   * A member's request for an application: their note, the answer, and the person who decided.
   *
   * Kept 90 days after the last change. Removed earlier by the member, or when 500 are stored.
   */
  AppRequest: {
    key: 'q',
    list: 'z',
    people: ['member_id'],
    members: {
      member_id: 'string',
      app: 'string',
      client_name: 'string',
      redirect_uris: 'strings',
      note: 'string',
      at: 'number',
    },
    /** `connects` is the client that they want to connect as it is; `client_id` that of the application that they got; `by` the member who decided. */
    optional: {
      decision: ['granted', 'declined'],
      client_id: 'string',
      answer: 'string',
      connects: 'string',
      /** What the client asked for. */
      scopes: 'strings',
      by: 'string',
    },
  },
  /**
   * What a person has not read yet on _Your apps_: answers to their requests, and apps that were disconnected by somebody else, with the names of these.
   *
   * Kept 90 days after the last of it, at most 20 rows. A row goes earlier when the person has read it.
   */
  News: { key: 'N', people: ['member_id'], members: { member_id: 'string', rows: 'object' } },
  /**
   * An encrypted secret for the page that shows it once, the result of a form, or an assertion that a client has used.
   *
   * A secret is kept 5 minutes, an assertion about an hour, the result of a form 24 hours.
   */
  OneTimeSecret: {
    key: 'o',
    secret: true,
    members: { client_id: 'string' },
    optional: {
      /** In the record of a form: the id of the record that has the credentials. */
      secret: 'string',
      /** Absent after they were shown, or for an assertion; then `shown` is which request has done that, or has used it. */
      sealed: 'string',
      shown: 'string',
    },
  },
  /**
   * Fingerprints of the keys in each process that uses the store, for all schools.
   *
   * Kept 10 minutes.
   */
  KeyFingerprints: { key: 'f', members: { salt: 'string', sets: 'object' } },
} as const;

const table = { ...engineRecordKinds, ...ownRecordKinds };

export type RecordTable = typeof table;

/** All that distinguishes the kinds of record. Types, keys, encoding and checks derive from it. */
export const recordKinds: { readonly [K in keyof RecordTable]: RecordKindRow } = table;
