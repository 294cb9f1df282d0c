import { describe, expect, test } from '@jest/globals';
import { refusalOf } from '../helpers/refusal.ts';
import { type KnownDocument, knownDocuments, metadataDocuments } from '../../policies/index.ts';
import { recordedDocuments } from '../../lib/features/metadata-documents/recorded-documents.ts';

const policy = metadataDocuments({ documents: knownDocuments });
const source = { url: 'https://docs.example/', kind: 'read' } as const;
const row = (url: string): KnownDocument => ({ name: 'Docs', url, source });

describe('knownDocuments', () => {
  test.each(recordedDocuments.map((document) => [document.client_id, document] as const))(
    '%s is accepted as it was recorded',
    (clientId, document) => {
      expect(refusalOf(policy, clientId)).toBeUndefined();
      const { metadata } = policy.checkDocument(clientId, document);
      const { redirectUris = document.redirect_uris } = knownDocuments.find(({ url }) => url === clientId) ?? {};
      expect(metadata.redirect_uris).toEqual(redirectUris);
      expect(metadata.token_endpoint_auth_method).toBe('none');
      expect(document['grant_types'] ?? metadata.grant_types).toEqual(
        expect.arrayContaining([...metadata.grant_types]),
      );
      // What was fetched and what is stored of it are one version.
      const stored = { ...document, redirect_uris: [...metadata.redirect_uris] };
      expect(policy.checkDocument(clientId, stored).digest).toBe(policy.checkDocument(clientId, document).digest);
      const loopback = JSON.stringify(document['redirect_uris']).includes('http:');
      expect(metadata.application_type).toBe(loopback ? 'native' : 'web');
    },
  );

  test('ChatGPT, the one app with keys, sends the token endpoint as the audience of its assertions', () => {
    const signing = knownDocuments.filter(
      ({ copy }) => copy?.document['token_endpoint_auth_method'] === 'private_key_jwt',
    );
    expect(signing.map(({ app, assertionAudience }) => [app, assertionAudience])).toEqual(
      Array.from({ length: 2 }, () => ['chatgpt', 'token_endpoint']),
    );
  });

  test('each row has its own URL and a source', () => {
    expect(new Set(knownDocuments.map(({ url }) => url)).size).toBe(knownDocuments.length);
    for (const { name, source: from } of knownDocuments) expect([name, URL.canParse(from.url)]).toEqual([name, true]);
  });

  test('a source is a page or a file, not a whole repository', () => {
    const vague = knownDocuments.filter(({ source: from }) =>
      /^https:\/\/github\.com\/[^/]+\/[^/]+\/?$/.test(from.url),
    );
    expect(vague).toEqual([]);
  });
});

describe('metadataDocuments({ documents }).checkClientId(clientId)', () => {
  test.each([
    'https://chatgpt.com/oauth/a/b/client.json',
    'https://chatgpt.com/oauth//client.json',
    'https://chatgpt.com/oauth/*/client.json',
    'https://chatgpt.com/oauth/a.b/client.json',
    'https://chatgpt.com/oauth/a%2fb/client.json',
    'https://chatgpt.com/oauth/../client.json',
    `https://chatgpt.com/oauth/${'a'.repeat(129)}/client.json`,
    'https://chatgpt.com/oauth/a/client.json?x=1',
    'https://chatgpt.com/oauth/a/clientXjson',
    'https://chatgpt.com/oauth/a/client.json/more',
    'https://chatgpt.com/share/client.json',
    'https://chatgpt.com:8443/oauth/client.json',
    'https://evil.example/oauth/a/client.json',
    'https://chatgpt.com.evil.example/oauth/client.json',
    'https://github.com/someone/cli/client-metadata.json',
    'https://claude.ai/public/artifacts/1',
    'https://connect.smithery.ai/.well-known/oauth-client',
  ])('%s is not one of them', (clientId) => {
    expect(refusalOf(policy, clientId)).toMatchObject({ error: 'invalid_client_metadata' });
  });

  test('the error says that other documents of the host are accepted, if that is so', () => {
    expect(refusalOf(policy, 'https://github.com/a')?.message).toContain(
      'other metadata documents on github.com are not',
    );
    expect(refusalOf(policy, 'https://gitlab.com/a')?.message).toMatch(/^metadata documents on gitlab\.com are not/);
  });

  test('documents, hosts and open are alternatives', () => {
    const both = metadataDocuments({ documents: [row('https://docs.example/a')], hosts: ['apps.example'] });
    const permitted = ['https://docs.example/a', 'https://docs.example/b', 'https://apps.example/b'];
    expect(permitted.map((url) => refusalOf(both, url) === undefined)).toEqual([true, false, true]);
    const open = metadataDocuments({ documents: [row('https://docs.example/a')], open: true });
    expect(permitted.map((url) => refusalOf(open, url) === undefined)).toEqual([true, true, true]);
  });

  test('the guide names documents once', () => {
    expect(policy.guide).toMatch(/^Documents are accepted from Claude, Claude Code, ChatGPT, Codex, /);
  });
});

describe('metadataDocuments({ documents })', () => {
  test.each([
    'https://*.example/client.json',
    'https://*/client.json',
    'https://docs.example/a*/client.json',
    'https://docs.example/**/client.json',
    'https://docs.example/a?b=*',
    'https://docs.example/a?b=/*',
    'http://docs.example/client.json',
    'https://docs.example/',
    'https://DOCS.example/client.json',
    'https://docs.example/a/../client.json',
    'https://docs.example/a#b',
    'https://user@docs.example/a',
    'docs.example',
    '',
  ])('refuses %j at construction', (url) => {
    expect(() => metadataDocuments({ documents: [row('https://docs.example/*'), row(url)] })).toThrow(
      /^metadataDocuments\.documents\[1\]\.url must be the URL of a metadata document or a pattern of one, but it /,
    );
  });

  test.each<[string, unknown]>([
    ['metadataDocuments.documents must be an array of documents', 'x'],
    [
      'metadataDocuments.documents[0].name must be a non-empty string',
      [{ ...row('https://docs.example/a'), name: '' }],
    ],
    ['metadataDocuments.documents[0].url must be', [{ ...row('https://docs.example/a'), url: 5 }]],
    [
      'metadataDocuments.documents[0].source.kind must be "read" or "recorded"',
      [{ ...row('https://docs.example/a'), source: { url: 'https://docs.example/', kind: 'guessed' } }],
    ],
  ])('%s', (message, documents) => {
    const options: Record<string, unknown> = { documents };
    expect(() => metadataDocuments(options)).toThrow(message);
  });
});
