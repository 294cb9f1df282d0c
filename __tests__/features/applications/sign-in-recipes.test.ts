import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { recipesFor, signInRecipes } from '../../../lib/features/applications/pages/sign-in-recipes.ts';

const guide = readFileSync(join(import.meta.dirname, '../../../docs/guide/sign-in.md'), 'utf8');
const values = { issuer: 'https://harbour.example', clientId: 'app-Q1w2E3r4T5y6U7i8', algorithm: 'RS256' } as const;
/** What is usual for each, or has to be. */
const callbacks = {
  spring: 'login/oauth2/code/school',
  apache: 'oidc-callback',
  'oauth2-proxy': 'oauth2/callback',
  authlib: 'auth',
  go: 'callback',
  passport: 'auth/school/callback',
} as const;

test.each(signInRecipes)('the guide has the settings of $name as the page shows them', ({ id, language, settings }) => {
  const redirectUri = `https://library.example/${callbacks[id]}`;
  expect(guide).toContain(`\n\`\`\`${language}\n${settings({ ...values, redirectUri })}\`\`\`\n`);
});

describe('an application that cannot use the settings gets none of them', () => {
  const signIn = { basic: true, idTokenAlgorithm: 'RS256', defaultResource: true } as const;
  const shown = { ...values, redirectUri: 'https://library.example/auth' };

  test.each([
    ['a public one', { confidential: false, signIn }],
    ['one with keys', { confidential: true, signIn, publicKeys: 'https://library.example/keys' }],
    ['one without HTTP Basic', { confidential: true, signIn: { ...signIn, basic: false } }],
    ['one that must send resource', { confidential: true, signIn: { ...signIn, defaultResource: false } }],
    ['an API client', { confidential: true }],
  ])('%s', (_what, application) => {
    expect(recipesFor(application, shown)).toEqual([]);
  });

  test('while no ID token is issued, neither', () => {
    expect(recipesFor({ confidential: true, signIn }, { ...shown, algorithm: undefined })).toEqual([]);
    expect(recipesFor({ confidential: true, signIn }, shown)).toHaveLength(signInRecipes.length);
  });
});
