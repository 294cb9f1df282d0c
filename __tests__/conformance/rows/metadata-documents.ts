import assert from 'node:assert/strict';
import { type MetadataDocumentsOptions, metadataDocuments } from '../../../policies/index.ts';
import { certificate, startDocumentServer } from '../../outbound/document-server.ts';
import { decisionsOn } from '../../helpers/browser.ts';
import { authorize, authorizeUrl, connect, pkce, type TestClient } from '../../helpers/flow.ts';
import { harbourSite } from '../../helpers/sites.ts';
import { assertError, assertRefused, assertShown, getJson, metadata } from '../probes.ts';
import type { CheckContext, Row, RowSchools } from '../row.ts';
import { reviewsOf } from '../../helpers/reviews.ts';

const document = {
  client_id: 'https://docs.example/client.json',
  client_name: 'Doc Client',
  redirect_uris: ['https://docs.example/callback', 'http://127.0.0.1/callback'],
};
const client: TestClient = {
  id: document.client_id,
  redirectUri: 'https://docs.example/callback',
  scope: 'openid profile courses:read',
};
const permitted = { hosts: ['docs.example'] };

/** Starts schools that accept metadata documents, and serves this document at every URL. */
async function withDocument(
  { start }: CheckContext,
  policy: MetadataDocumentsOptions,
  published: object,
  check: (schools: RowSchools) => Promise<void>,
): Promise<void> {
  const server = await startDocumentServer();
  server.respond((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(published));
  });
  const testing = {
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    ca: certificate,
    allowPrivateAddresses: true,
    port: server.port,
  };
  try {
    await check(await start({ campus: { metadataDocuments: metadataDocuments(policy), testing } }));
  } finally {
    await server.close();
  }
}

/** Client ID Metadata Documents. */
export const metadataDocumentRows: readonly Row[] = [
  {
    id: '2d34',
    section: 'Resources: OAuth client, client_id',
    sentence: 'MAY be the HTTPS URL of a Client ID Metadata Document',
    check: (ctx) =>
      withDocument(ctx, permitted, document, async ({ harbour, browser }) => {
        assert.equal((await connect(browser('olivia'), harbour, client)).status, 200);
      }),
  },
  {
    id: '991d',
    section: 'Endpoints: Discovery and description, client_id_metadata_document_supported',
    sentence: 'MUST be true if metadata documents are resolved, and only then',
    check: async (ctx) => {
      const name = 'client_id_metadata_document_supported';
      const { harbour } = await ctx.start();
      assert.notEqual((await metadata(harbour))[name], true);
      await withDocument(ctx, permitted, document, async (schools) => {
        assert.equal((await metadata(schools.harbour))[name], true);
      });
    },
  },
  {
    id: '1b66',
    section: 'Authentication: Registration rules 3',
    sentence: 'MUST resolve a document whose host is permitted: on the list, or any when registration is open',
    check: async (ctx) => {
      for (const policy of [permitted, { open: true }]) {
        await withDocument(ctx, policy, document, async ({ harbour, browser }) => {
          assert.equal((await connect(browser('olivia'), harbour, client)).status, 200);
        });
      }
    },
  },
  {
    id: '3b80',
    section: 'Authentication: Registration rules 3',
    sentence: 'MUST refuse a document whose host is not permitted',
    check: async (ctx) => {
      for (const hosts of [['other.example'], ['example'], ['sub.docs.example']]) {
        await withDocument(ctx, { hosts }, document, async ({ harbour, browser }) => {
          await assertShown(browser('olivia'), harbour, client, {});
        });
      }
    },
  },
  {
    id: 'b11d',
    section: 'Authentication: Registration rules 3',
    sentence: 'MUST require redirect URIs under the document’s host or loopback addresses',
    check: async (ctx) => {
      await withDocument(ctx, permitted, document, async ({ harbour, browser }) => {
        for (const redirectUri of ['https://docs.example/callback', 'http://127.0.0.1:49153/callback']) {
          assert.equal((await connect(browser('olivia'), harbour, { ...client, redirectUri })).status, 200);
        }
      });
      for (const redirectUri of [
        'https://elsewhere.example/callback',
        'https://docs.example.elsewhere.example/callback',
      ]) {
        const published = { ...document, redirect_uris: [...document.redirect_uris, redirectUri] };
        await withDocument(ctx, permitted, published, async ({ harbour, browser }) => {
          await assertShown(browser('olivia'), harbour, { ...client, redirectUri }, {});
        });
      }
    },
  },
  {
    id: 'cd82',
    section: 'Authentication: Registration rules 3',
    sentence: 'MUST allow an unreviewed document to request read and identity scopes only',
    check: (ctx) =>
      withDocument(ctx, permitted, document, async ({ harbour, browser }) => {
        const { body } = await connect(browser('olivia'), harbour, client, { scope: 'openid email orders:read' });
        assert.equal(body['scope'], 'openid email orders:read');
        for (const scope of ['openid courses:write', 'openid storage:write', 'openid account:write']) {
          // The page offers to approve the document; who only allows grants none of it.
          assert.equal((await connect(browser('olivia'), harbour, client, { scope })).body['scope'], 'openid');
          await assertRefused(browser('olivia'), harbour, client, { scope, prompt: 'none' }, 'consent_required');
        }
      }),
  },
  {
    id: '7e4b',
    section: 'Authentication: Registration rules 3',
    sentence: 'MAY request other operator scopes once an operator of the school has reviewed the document',
    check: (ctx) =>
      withDocument(ctx, permitted, document, async ({ harbour, browser, campus }) => {
        const scope = 'openid courses:write';
        assert.equal((await connect(browser('olivia'), harbour, client, { scope })).body['scope'], 'openid');
        const site = harbourSite(harbour);
        const [seen] = await reviewsOf(campus).list(site);
        await reviewsOf(campus).approve(site, client.id, seen?.version);
        assert.equal((await connect(browser('olivia'), harbour, client, { scope })).body['scope'], scope);
        await assertRefused(browser('olivia'), harbour, client, { scope: 'openid account:read' }, 'invalid_scope');
      }),
  },
  {
    id: 'bcae',
    section: 'Authentication: Registration rules 4',
    sentence: 'MUST allow a metadata-document client to act for a site operator only',
    check: (ctx) =>
      withDocument(ctx, permitted, document, async ({ harbour, browser }) => {
        await assertRefused(browser('sam'), harbour, client, {}, 'access_denied');
        assert.equal((await connect(browser('olivia'), harbour, client)).status, 200);
      }),
  },
  {
    id: 'a12f',
    section: 'Errors, invalid_client_metadata',
    sentence: 'MUST be returned for a metadata document from a host that is not permitted',
    check: (ctx) =>
      withDocument(ctx, { hosts: ['other.example'] }, document, async ({ harbour }) => {
        const url = authorizeUrl(harbour, client, pkce());
        assertError(await getJson(url.href, { accept: 'application/json' }), 'invalid_client_metadata');
      }),
  },
  {
    id: 'c1d8',
    section: 'Limits, scopes of an unreviewed metadata document',
    sentence: 'MUST be read and identity scopes only, without `account:read`',
    check: (ctx) =>
      withDocument(ctx, permitted, document, async ({ harbour, browser }) => {
        const { scopes_supported: supported } = await metadata(harbour);
        assert.ok(Array.isArray(supported));
        for (const scope of supported.map(String)) {
          const changes = { scope, nonce: undefined };
          if (scope === 'account:read') {
            await assertRefused(browser('olivia'), harbour, client, changes, 'invalid_scope');
          } else if (scope.endsWith(':write')) {
            const { html } = await authorize(browser('olivia'), authorizeUrl(harbour, client, pkce(), changes));
            assert.deepEqual(decisionsOn(html), ['approve', 'deny']);
          } else {
            assert.equal((await connect(browser('olivia'), harbour, client, changes)).body['scope'], scope);
          }
        }
      }),
  },
];
