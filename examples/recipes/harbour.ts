// harbour.ts
import { generateKeyPairSync } from 'node:crypto';
import { type CampusOptions, createCampus } from 'campus-oidc';
import { memoryStore } from 'campus-oidc/adapters/memory';
import { fakePlatform } from 'campus-oidc/testing';

export const origin = `http://localhost:${process.env['PORT'] ?? 3000}`;

/** In place of your own schools, people and sessions. */
export const platform = fakePlatform({
  schools: [{ id: 'harbour', origin, name: 'Harbour School' }],
  people: {
    harbour: {
      olivia: { name: 'Olivia Owner', roles: ['owner'] },
      tess: { name: 'Tess Teacher', roles: ['admin', 'teacher'] },
      sam: { name: 'Sam Student', roles: ['student'] },
    },
  },
});

const redirectUris = ['http://127.0.0.1/callback'];
const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });

/** A campus with one school, and with what a recipe is about. */
export const createHarbour = (options: Partial<CampusOptions>) =>
  createCampus({
    platform,
    store: memoryStore(),
    keys: { signing: [{ ...key, alg: 'ES256', kid: 'recipes' }], cookies: ['a secret of the recipes'] },
    clients: [
      {
        clientId: 'reports',
        clientName: 'Reports',
        audience: 'operator',
        redirectUris,
        scopes: ['openid', 'courses:read', 'courses:write'],
      },
      {
        clientId: 'pocket-app',
        clientName: 'Pocket App',
        audience: 'member',
        redirectUris,
        scopes: ['openid', 'account:read'],
      },
    ],
    ...options,
  });
