import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { AdapterPayload } from 'oidc-provider';
import { decodeRecord, encodeRecord } from '../../lib/engine/engine-records.ts';
import type { EngineKind, RecordKind, WrittenKind } from '../../lib/records/record.ts';
import { recordKinds } from '../../lib/records/record-kinds.ts';
import {
  type ClientMetadata,
  type DocumentRecord,
  type DocumentReviewRecord,
  grantIdOf,
  parseRecord,
  serializeRecord,
  storedId,
} from '../../lib/records/codec.ts';
import { cases } from '../helpers/properties.ts';

const origin = 'https://harbour.example';
const grantId = grantIdOf('sam', 'app');

interface Golden {
  /** What the engine hands over, besides what it never reads back. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** What is stored. A change of it needs a new version: see adapters/README.md. */
  readonly text: string;
}

const golden: Readonly<Record<EngineKind, Golden>> = {
  Session: {
    payload: { uid: 'u', accountId: 'sam', loginTs: 1795197000, amr: ['pwd'], exp: 1795284283 },
    text: '{"v":1,"uid":"u","accountId":"sam","loginTs":1795197000,"amr":["pwd"],"exp":1795284283}',
  },
  Interaction: {
    payload: {
      params: { client_id: 'app', scope: 'openid', state: 'Zoë' },
      prompt: { name: 'consent', reasons: ['public_client'] },
      session: { accountId: 'sam', uid: 'u' },
      grantId,
      result: { login: { accountId: 'sam', ts: 1795197000, amr: ['pwd'] } },
      lastSubmission: { sentToSignIn: true },
      iat: 1795197883,
      exp: 1795201483,
      returnTo: `${origin}/oauth/authorize/the-id`,
    },
    text:
      '{"v":1,"params":{"client_id":"app","scope":"openid","state":"Zoë"},' +
      '"prompt":{"name":"consent","reasons":["public_client"]},"session":{"accountId":"sam","uid":"u"},' +
      `"grantId":"${grantId}","result":{"login":{"accountId":"sam","ts":1795197000,"amr":["pwd"]}},` +
      '"lastSubmission":{"sentToSignIn":true},"iat":1795197883,"exp":1795201483}',
  },
  Grant: {
    payload: {
      accountId: 'sam',
      clientId: 'app',
      iat: 1795197883,
      exp: 1810749883,
      openid: { scope: 'openid courses:read' },
      resources: { [origin]: 'openid courses:read' },
      rejected: { openid: { scope: 'courses:write' }, resources: { [origin]: 'courses:write' } },
    },
    text:
      '{"v":2,"accountId":"sam","clientId":"app","scope":"openid courses:read","rejected":"courses:write",' +
      '"declined":"courses:write","resource":"https://harbour.example","iat":1795197883,"exp":1810749883}',
  },
  AuthorizationCode: {
    payload: {
      accountId: 'sam',
      clientId: 'app',
      grantId,
      scope: 'openid profile',
      resource: origin,
      redirectUri: 'https://app.example/callback',
      codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      codeChallengeMethod: 'S256',
      nonce: 'n',
      claims: { id_token: { auth_time: { essential: true } } },
      authTime: 1795197000,
      amr: ['pwd'],
      exp: 1795197943,
    },
    text:
      '{"v":1,"accountId":"sam","clientId":"app","scope":"openid profile","resource":"https://harbour.example",' +
      '"redirectUri":"https://app.example/callback","codeChallenge":"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",' +
      '"codeChallengeMethod":"S256","nonce":"n","claims":{"id_token":{"auth_time":{"essential":true}}},' +
      '"authTime":1795197000,"amr":["pwd"],"exp":1795197943}',
  },
  AccessToken: {
    payload: {
      accountId: 'sam',
      clientId: 'app',
      grantId,
      scope: 'openid account:read',
      aud: origin,
      iat: 1795197883,
      exp: 1795205083,
      extra: { client_audience: 'member' },
    },
    text:
      '{"v":2,"accountId":"sam","clientId":"app","scope":"openid account:read","aud":"https://harbour.example",' +
      '"iat":1795197883,"exp":1795205083,"audience":"member","app":"la"}',
  },
  ClientCredentials: {
    payload: {
      iat: 1795197883,
      exp: 1795205083,
      clientId: 'app',
      aud: origin,
      scope: 'courses:read',
      extra: { client_audience: 'service' },
    },
    text: '{"v":1,"iat":1795197883,"exp":1795205083,"clientId":"app","aud":"https://harbour.example","scope":"courses:read"}',
  },
  RefreshToken: {
    payload: {
      accountId: 'sam',
      clientId: 'app',
      grantId,
      scope: 'openid account:read',
      resource: origin,
      exp: 1797789883,
    },
    text:
      '{"v":2,"accountId":"sam","clientId":"app","scope":"openid account:read","resource":"https://harbour.example",' +
      '"exp":1797789883}',
  },
  DeviceCode: {
    payload: {
      accountId: 'sam',
      clientId: 'app',
      grantId,
      scope: 'openid account:read',
      resource: origin,
      authTime: 1795197000,
      exp: 1795198783,
    },
    text:
      '{"v":1,"accountId":"sam","clientId":"app","scope":"openid account:read","resource":"https://harbour.example",' +
      '"authTime":1795197000,"exp":1795198783}',
  },
};

const engineKinds = [
  'Session',
  'Interaction',
  'Grant',
  'AuthorizationCode',
  'AccessToken',
  'RefreshToken',
] as const satisfies readonly EngineKind[];

/** The consent page writes grants. */
const writtenKinds = engineKinds.filter((kind) => kind !== 'Grant');

function encode(kind: WrittenKind, payload: Golden['payload']): string {
  // What its app was does not come back, so the payloads are without it.
  const { extra } = payload;
  const ofApp = kind === 'AccessToken' && { extra: { client_app: 'la', ...Object(extra) } };
  return encodeRecord(kind, { ...payload, ...ofApp, jti: 'the-id', kind });
}

function decode(kind: EngineKind, text: string, at = origin): AdapterPayload {
  return decodeRecord(kind, 'the-id', parseRecord(kind, text), { origin: at });
}

describe('the golden record', () => {
  test.each(writtenKinds)('of kind %s is what is written for the payload of the engine, and reads as it', (kind) => {
    const { payload, text } = golden[kind];
    expect(encode(kind, payload)).toBe(text);
    expect(decode(kind, text)).toEqual({ ...payload, jti: 'the-id', kind });
  });

  test('of kind Grant reads as the payload of the engine', () => {
    const { payload, text } = golden.Grant;
    expect(JSON.parse(serializeRecord('Grant', parseRecord('Grant', text)))).toEqual(JSON.parse(text));
    expect(decode('Grant', text)).toEqual({ ...payload, jti: 'the-id', kind: 'Grant' });
  });

  test('of an access token of a static client has its source, which the engine does not get back', () => {
    const { payload, text } = golden.AccessToken;
    const extra = { client_audience: 'member', client_source: 'static' };
    const withSource = encode('AccessToken', { ...payload, extra });
    expect(withSource).toBe(text.replace('"audience"', '"static"'));
    expect(parseRecord('AccessToken', withSource)).toMatchObject({ audience: 'member', isStatic: true });
    expect(parseRecord('AccessToken', text)).toMatchObject({ audience: 'member', isStatic: false });
    expect(decode('AccessToken', withSource)).toEqual({ ...payload, jti: 'the-id', kind: 'AccessToken' });
  });

  test('of kind Client', () => {
    const client: ClientMetadata = {
      client_id: 'app-1',
      client_name: 'Notes',
      application_type: 'web',
      redirect_uris: ['https://notes.example/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'openid account:read',
      client_uri: 'https://notes.example',
      client_id_issued_at: 1795197883,
      client_secret: 'digest',
      campus_audience: 'member',
      campus_source: 'application',
    };
    const text =
      '{"v":1,"client_id":"app-1","client_name":"Notes","application_type":"web",' +
      '"redirect_uris":["https://notes.example/callback"],"grant_types":["authorization_code","refresh_token"],' +
      '"response_types":["code"],"token_endpoint_auth_method":"client_secret_post","scope":"openid account:read",' +
      '"client_uri":"https://notes.example","client_id_issued_at":1795197883,"client_secret":"digest",' +
      '"campus_audience":"member","campus_source":"application"}';
    expect(serializeRecord('Client', client)).toBe(text);
    expect(parseRecord('Client', text)).toEqual(client);
    // The version of an application is a digest of its record, so the order of the members is part of it.
    expect(serializeRecord('Client', parseRecord('Client', text))).toBe(text);
  });

  test.each<[string, DocumentRecord, string]>([
    [
      'as fetched',
      { document: { client_id: 'x', n: [1] }, digest: 'd', since: 7, fetchedAt: 8, freshUntil: 9 },
      '{"v":1,"document":{"client_id":"x","n":[1]},"digest":"d","since":7,"fetchedAt":8,"freshUntil":9}',
    ],
    [
      'withdrawn',
      { digest: 'd', since: 0, fetchedAt: 8, freshUntil: 9 },
      '{"v":1,"digest":"d","since":0,"fetchedAt":8,"freshUntil":9}',
    ],
  ])('of kind Document, %s', (_what, record, text) => {
    expect(serializeRecord('Document', record)).toBe(text);
    expect(parseRecord('Document', text)).toEqual(record);
  });

  test('of kind AppRule', () => {
    const text = '{"v":1,"client_id":"x","access":"blocked","at":7}';
    expect(serializeRecord('AppRule', { client_id: 'x', access: 'blocked', at: 7 })).toBe(text);
    expect(parseRecord('AppRule', text)).toEqual({ client_id: 'x', access: 'blocked', at: 7 });
  });

  test('of kind DocumentReview', () => {
    const text = '{"v":1,"client_id":"x","digest":"d","client_name":"X","redirect_uris":["y"],"at":7}';
    const record: DocumentReviewRecord = { client_id: 'x', digest: 'd', client_name: 'X', redirect_uris: ['y'], at: 7 };
    expect(serializeRecord('DocumentReview', record)).toBe(text);
    expect(parseRecord('DocumentReview', text)).toEqual(record);
  });
});

describe('a payload of the engine', () => {
  type Change = (accountId: string, clientId: string, scope: string) => AdapterPayload;
  const token: Change = (accountId, clientId, scope) => {
    return { accountId, clientId, scope, grantId: grantIdOf(accountId, clientId) };
  };
  const changes: Readonly<Record<WrittenKind, Change>> = {
    Session: (accountId) => ({ accountId }),
    Interaction: (accountId, clientId, scope) => ({ params: { accountId, clientId, scope } }),
    AuthorizationCode: token,
    AccessToken: token,
    ClientCredentials: (_accountId, clientId, scope) => ({ clientId, scope }),
    RefreshToken: token,
    DeviceCode: token,
  };

  test.each(writtenKinds)('of kind %s is the same when it comes back, whatever its ids and scopes are', (kind) => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (...texts) => {
        const payload = { ...golden[kind].payload, ...changes[kind](...texts) };
        expect(decode(kind, encode(kind, payload))).toEqual({ ...payload, jti: 'the-id', kind });
      }),
      cases(100),
    );
  });

  test.each(writtenKinds)('of kind %s comes back with the members that this release does not know', (kind) => {
    for (const name of ['jkt', 'x5t#S256', 'expiresWithSession', 'rar', 'dpopJkt']) {
      const payload = { ...golden[kind].payload, [name]: 'x' };
      expect(decode(kind, encode(kind, payload))).toEqual({ ...payload, jti: 'the-id', kind });
      expect(encode(kind, { ...golden[kind].payload, [name]: undefined })).toBe(golden[kind].text);
    }
  });

  test.each<[WrittenKind, AdapterPayload]>([
    ['Session', { iat: 1, authorizations: { app: { sid: 's' } } }],
    ['Interaction', { trusted: [], cid: 'c' }],
    ['AuthorizationCode', { iat: 1, sessionUid: 's' }],
    ['AccessToken', { gty: 'authorization_code', sessionUid: 's' }],
    ['RefreshToken', { iat: 1, gty: 'g', sessionUid: 's', nonce: 'n', claims: {}, amr: [], iiat: 1, rotations: 7 }],
  ])('of kind %s is stored without what the engine does not read back', (kind, more) => {
    expect(encode(kind, { ...golden[kind].payload, ...more })).toBe(golden[kind].text);
  });

  test('of an interaction is stored without the session cookie and the details of the prompt', () => {
    const { payload, text } = golden.Interaction;
    const session = { accountId: 'sam', uid: 'u', cookie: 'secret', amr: ['pwd'] };
    const prompt = { name: 'consent', reasons: ['public_client'], details: { missingOIDCScope: ['openid'] } };
    expect(encode('Interaction', { ...payload, session, prompt })).toBe(text);
  });

  test('of a grant that gives no scope has none', () => {
    const { rejected: _rejected, ...record } = parseRecord('Grant', golden.Grant.text);
    const payload = decode('Grant', serializeRecord('Grant', { ...record, scope: '' }));
    expect([payload['openid'], payload['resources'], payload['rejected']]).toEqual([
      { scope: '' },
      { [origin]: '' },
      undefined,
    ]);
  });

  test('of a token that belongs to another grant than that of its member and client is an error', () => {
    expect(() => encode('AccessToken', { ...golden.AccessToken.payload, grantId: 'other' })).toThrow('grant');
  });

  test('that was written for another origin is not valid at this one', () => {
    const here = 'https://moved.example';
    expect(decode('AccessToken', golden.AccessToken.text, here).aud).not.toBe(here);
    expect(decode('RefreshToken', golden.RefreshToken.text, here).resource).not.toBe(here);
    expect(decode('Grant', golden.Grant.text, here)['resources']).not.toHaveProperty([here]);
  });
});

describe('parseRecord', () => {
  test.each([0, 3, 99, -1, 1.5, '1', null, undefined])('throws for the version %j', (v) => {
    for (const kind of engineKinds) {
      const text = JSON.stringify({ ...JSON.parse(golden[kind].text), v });
      expect(() => parseRecord(kind, text)).toThrow(/this release reads version [12]$/);
    }
  });

  test.each(['', 'x', '[]', '[1]', 'null', '1', '"x"'])('throws for %j, which is not a record', (text) => {
    expect(() => parseRecord('AccessToken', text)).toThrow(Error);
  });

  test.each([
    ['Grant', ['accountId', 'clientId', 'scope', 'resource', 'declined', 'iat', 'exp']],
    ['AccessToken', ['accountId', 'clientId', 'scope', 'aud', 'iat', 'exp', 'audience', 'app']],
    ['AuthorizationCode', ['accountId', 'clientId']],
    ['RefreshToken', ['accountId', 'clientId']],
  ] as const)('throws for a %s if one of %j is missing or has another type', (kind, names) => {
    const record = JSON.parse(golden[kind].text);
    for (const name of names) {
      for (const value of [undefined, null, {}, [], true]) {
        expect(() => parseRecord(kind, JSON.stringify({ ...record, [name]: value }))).toThrow(`${name} must be`);
      }
    }
  });

  /** The least that a record of a kind can be. */
  const least: Readonly<Record<RecordKind, string>> = {
    Session: golden.Session.text,
    Interaction: golden.Interaction.text,
    Grant: golden.Grant.text,
    AuthorizationCode: golden.AuthorizationCode.text,
    AccessToken: golden.AccessToken.text,
    ClientCredentials: golden.ClientCredentials.text,
    RefreshToken: golden.RefreshToken.text,
    DeviceRequest: '{"v":1,"exp":7}',
    DeviceCode: golden.DeviceCode.text,
    Client: '{"v":1,"client_id":"x"}',
    Document: '{"v":1,"digest":"d","since":0,"fetchedAt":8,"freshUntil":9}',
    DocumentReview: '{"v":1,"client_id":"x","digest":"d","at":7}',
    AppRule: '{"v":1,"app":"x","at":7}',
    ConnectedClient: '{"v":1,"client_id":"x","at":7}',
    ConnectedApp: '{"v":1,"at":7}',
    AppRequest: '{"v":1,"member_id":"m","app":"p","client_name":"n","redirect_uris":[],"note":"","at":7}',
    OneTimeSecret: '{"v":1,"client_id":"x"}',
    AllowedPerson: '{"v":1,"member_id":"m","at":1}',
    News: '{"v":1,"member_id":"m","rows":{}}',
    KeyFingerprints: '{"v":1,"salt":"s","sets":{}}',
  };
  const rows = Object.entries(recordKinds).flatMap(([name, row]) => {
    const kind = Object.keys(least).find((each): each is RecordKind => each === name);
    return kind ? [{ kind, row }] : [];
  });

  test.each(rows)('keeps members of a $kind that it does not know', ({ kind }) => {
    const known = parseRecord(kind, least[kind]);
    expect(parseRecord(kind, least[kind].replace('{', '{"more":{},'))).toEqual({ ...known, more: {} });
  });

  test.each(rows)('throws for a $kind whose member has another type', ({ kind, row: { members, optional } }) => {
    const record = JSON.parse(least[kind]);
    for (const name of Object.keys({ ...members, ...optional }).filter((each) => each !== 'isStatic')) {
      for (const value of [null, [7]]) {
        const text = JSON.stringify({ ...record, [name]: value });
        expect(() => parseRecord(kind, text)).toThrow(`${name} must be`);
      }
    }
  });
});

test('a credential is stored under its digest, everything else under its id', () => {
  for (const kind of ['Session', 'Interaction', 'AuthorizationCode', 'AccessToken', 'RefreshToken'] as const) {
    expect(storedId(kind, 'secret')).toMatch(/^[\w-]{43}$/);
  }
  for (const kind of ['Grant', 'Client', 'Document'] as const) expect(storedId(kind, 'id')).toBe('id');
});

test('the grant id of a member and client is always the same 22 characters, and no other pair has it', () => {
  expect(grantIdOf('sam', 'app')).toBe(grantIdOf('sam', 'app'));
  expect(grantIdOf('sam', 'app')).toMatch(/^[\w-]{22}$/);
  expect(new Set([grantIdOf('a', 'bc'), grantIdOf('ab', 'c'), grantIdOf('bc', 'a')]).size).toBe(3);
});

test('no two kinds share a letter of their keys, nor one of the keys that belong to no kind', () => {
  const letters = Object.values(recordKinds).flatMap(({ key, list }) => (list === undefined ? [key] : [key, list]));
  expect(new Set([...letters, 'm', 'x', 'p', 'n']).size).toBe(letters.length + 4);
});
