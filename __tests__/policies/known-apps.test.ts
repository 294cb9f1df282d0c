import { describe, expect, test } from '@jest/globals';
import {
  knownDocuments,
  knownApps,
  loopbackClients,
  metadataDocuments,
  vendorPlatforms,
  wellKnownVendors,
} from '../../policies/index.ts';
import { simulatedClients } from '../../lib/simulated-clients/known-clients.ts';
import { harbourSite } from '../helpers/sites.ts';
import { appOfProduct } from '../clients/rows.ts';

const site = harbourSite();

const ids = new Set<unknown>(knownApps.map(({ id }) => id));
const own = {
  id: 'harbour-bot',
  name: 'Harbour Bot',
  publisher: 'Harbour School',
  homePage: 'https://harbour.example',
};

test('each app has an id of its own, a name, a publisher, and pages that say so', () => {
  expect(ids.size).toBe(knownApps.length);
  for (const { id, name, publisher, homePage, names, source } of knownApps) {
    expect(id).toMatch(/^[a-z0-9][a-z0-9-]{0,63}$/);
    expect([name, publisher]).not.toContain('');
    expect(names[0]).toBe(name);
    for (const page of [homePage, source.url])
      expect(URL.parse(page)).toMatchObject({ protocol: 'https:', href: page.includes('/', 8) ? page : `${page}/` });
  }
});

test('every row of a vendor and of a document is that of a known app', () => {
  const named = [...wellKnownVendors, ...knownDocuments].map(({ app }) => app);
  expect(named.filter((app) => !ids.has(app))).toEqual([]);
});

test('every app that is replayed is a known one or an SDK', () => {
  const sdks = simulatedClients.filter(({ product }) => appOfProduct(product) === undefined);
  expect([...new Set(sdks.map(({ product }) => product))]).toEqual(['rmcp', 'typescript-sdk-1', 'typescript-sdk-2']);
});

describe('the app of a loopback client', () => {
  const policy = loopbackClients();
  const appOf = async (client_name?: string): Promise<unknown> => {
    const metadata = { client_name, redirect_uris: ['http://127.0.0.1/callback'] };
    return (await policy.decide({ site, metadata }))?.decision === 'admit'
      ? policy.decide({ site, metadata })
      : undefined;
  };

  test.each([
    ['Codex', 'codex'],
    [' codex ', 'codex'],
    ['Cоdex', 'codex'],
    ['C-o-d-e-x', 'codex'],
    ['Claude Code (harbour)', 'claude-code'],
    ['Gemini CLI MCP Client', 'gemini-cli'],
    ['MCP CLI Client', 'mcp-remote'],
    ['MCP Inspector', 'mcp-inspector'],
    ['Zed', 'zed'],
  ])('%j is taken for %s, and is not verified', async (name, id) => {
    expect(await appOf(name)).toMatchObject({ app: { id, verified: false } });
  });

  test.each([undefined, '', '★', 'A tool', 'Codex helper', 'My Claude Code', '(Codex)'])('%j is none', async (name) => {
    expect(await appOf(name)).not.toHaveProperty('app');
  });
});

describe('the app of a vendor', () => {
  test('is that of the row, for a shared client and for one of its own', async () => {
    const policy = vendorPlatforms(wellKnownVendors);
    expect(policy.clients).toContainEqual(expect.objectContaining({ clientId: 'visual-studio-code', app: 'vs-code' }));
    const redirect_uris = ['https://global.consent.azure-apim.net/redirect/a'];
    expect(await policy.decide({ site, metadata: { client_name: 'Claude tool', redirect_uris } })).toMatchObject({
      app: { id: 'copilot-studio', name: 'Copilot Studio', publisher: 'Microsoft', verified: true },
    });
  });

  test('can be one of the host, or none', async () => {
    const bot = { clientName: 'Bot', names: ['Bot'], callbackPrefix: 'https://bot.example/cb/' };
    const metadata = { client_name: 'Bot', redirect_uris: ['https://bot.example/cb/1'] };
    const named = vendorPlatforms([{ ...bot, app: own }]);
    expect(await named.decide({ site, metadata })).toMatchObject({ app: { ...own, verified: true } });
    expect(await vendorPlatforms([bot]).decide({ site, metadata })).not.toHaveProperty('app');
  });

  test.each([
    ['an unknown id', 'claud'],
    ['a member of every object', 'toString'],
    ['no name', { id: 'bot' }],
    ['an id with capitals', { id: 'Bot', name: 'Bot' }],
    ['a home page that is none', { id: 'bot', name: 'Bot', homePage: 'javascript:alert(1)' }],
  ])('%s is refused at construction', (_what, app) => {
    const given = JSON.parse(JSON.stringify([{ ...wellKnownVendors[0], app }]));
    expect(() => vendorPlatforms(given)).toThrow(/^vendorPlatforms\[0\]\.app(?:\.\w+)? must be /);
  });
});

describe('the app of a document', () => {
  const policy = metadataDocuments({ documents: knownDocuments });
  test.each([
    ['https://claude.ai/oauth/mcp-oauth-client-metadata', 'claude'],
    ['https://claude.ai/oauth/claude-code-client-metadata', 'claude-code'],
    ['https://chatgpt.com/oauth/client.json', 'chatgpt'],
    ['https://chatgpt.com/oauth/tU1UVEq8rRTK/client.json', 'chatgpt'],
    ['https://chatgpt.com/oauth/codex/client.json', 'codex'],
    ['https://chatgpt.com/oauth/codex/q2r_T-x01234/client.json', 'codex'],
    ['https://insiders.vscode.dev/oauth/client-metadata.json', 'vs-code'],
    ['https://claude.ai/oauth/other', undefined],
    ['https://claude.ai.evil.example/oauth/claude-code-client-metadata', undefined],
  ])('%s: %s', (clientId, id) => {
    expect(policy.known?.(clientId)?.app?.id).toBe(id);
    // However it is admitted.
    for (const other of [metadataDocuments({ open: true }), metadataDocuments({ hosts: ['claude.ai'] })]) {
      expect(other.known?.(clientId)?.app?.id).toBe(id);
    }
  });

  test('a row of the host comes first', () => {
    const row = { name: 'Bot', url: 'https://chatgpt.com/oauth/client.json', app: own } as const;
    const source = { url: 'https://harbour.example/bot', kind: 'read' } as const;
    const other = metadataDocuments({ documents: [{ ...row, source }] });
    expect(other.known?.(row.url)?.app).toEqual(own);
  });
});
