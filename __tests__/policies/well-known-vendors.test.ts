import { describe, expect, test } from '@jest/globals';
import { operatorScopes, vendorPlatforms, wellKnownVendors } from '../../policies/index.ts';
import { harbourSite } from '../helpers/sites.ts';

const site = harbourSite();

const policy = vendorPlatforms(wellKnownVendors);
const rows = wellKnownVendors.map((vendor) => [vendor.clientName, vendor] as const);

test('has the apps that need a row, and none without a source for it', () => {
  const names = wellKnownVendors.map(({ clientName }) => clientName);
  for (const needed of ['Claude', 'ChatGPT', 'Cursor', 'Visual Studio Code', 'Copilot Studio']) {
    expect(names).toContain(needed);
  }
  for (const unsourced of ['Windsurf', 'Bolt', 'Lovable', 'Replit']) expect(names).not.toContain(unsourced);
});

describe.each(rows)('%s', (_name, vendor) => {
  test('says where it was read or recorded', () => {
    expect(vendor.sources.length).toBeGreaterThan(0);
    for (const { url, kind } of vendor.sources) {
      expect(url).toMatch(/^https:\/\/[a-z0-9.-]+\/\S+$/);
      expect(['read', 'recorded']).toContain(kind);
    }
  });

  test('needs the row: it has more than loopback addresses', () => {
    const uris = [
      ...(vendor.redirectUris ?? []),
      ...(vendor.callbackPrefix === undefined ? [] : [vendor.callbackPrefix]),
    ];
    expect(uris.some((uri) => !uri.startsWith('http:'))).toBe(true);
  });

  test('is found by each of its names, with its own callbacks', async () => {
    for (const name of vendor.names) {
      if (typeof name !== 'string') continue;
      const decide = async (uris: string[]) =>
        policy.decide({ site, metadata: { client_name: name, redirect_uris: uris } });
      if (vendor.clientId !== undefined) {
        expect(await decide(['https://evil.example/'])).toEqual({ decision: 'known', clientId: vendor.clientId });
      } else {
        await expect(decide(['https://evil.example/'])).rejects.toMatchObject({ error: 'invalid_redirect_uri' });
      }
      if (vendor.callbackPrefix === undefined) continue;
      const uris = [`${vendor.callbackPrefix}a-tool`];
      expect(await decide(uris)).toMatchObject({ decision: 'admit', metadata: { redirect_uris: uris } });
    }
  });

  test('may have the scopes of operator clients only', () => {
    const client = policy.clients?.find(({ clientId }) => clientId === vendor.clientId);
    expect(client?.scopes ?? operatorScopes).not.toContain('account:read');
  });
});
