import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { recipesFor, signInRecipes } from '../../../lib/features/applications/pages/sign-in-recipes.ts';

const guide = readFileSync(join(import.meta.dirname, '../../../docs/guides/sign-in-for-websites.md'), 'utf8');
const scopes = ['openid', 'profile', 'email'];
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

const block = (language: string, text: string): string => `\n\`\`\`${language}\n${text}\`\`\`\n`;

test.each(signInRecipes)('the guide has the settings of $name as the page shows them', (recipe) => {
  const { id, language, settings, signOut } = recipe;
  const redirectUri = `https://library.example/${callbacks[id]}`;
  expect(guide).toContain(block(language, settings({ ...values, redirectUri, scopes })));
  const signedOutUri = 'https://library.example/bye';
  const signingOut = signOut.text({ ...values, redirectUri, scopes, signedOutUri });
  expect(guide).toContain(block(signOut.language, signingOut));
  // A hint alone is refused once its key is gone.
  expect(decodeURIComponent(signingOut)).toMatch(
    /client_id"?\s*[=:]\s*\{?["']?(?:app-Q1w2E3r4T5y6U7i8|config\.ClientID)/,
  );
});

test('signing out of the school is shown to an application to which people come back', () => {
  const signIn = { basic: true, idTokenAlgorithm: 'RS256', defaultResource: true } as const;
  const shown = { ...values, redirectUri: 'https://library.example/auth' };
  const signOuts = (uris?: readonly string[]): readonly (string | undefined)[] =>
    recipesFor({ confidential: true, scopes, signIn, postLogoutRedirectUris: uris }, shown).map(
      ({ signOut }) => signOut,
    );
  expect(new Set(signOuts())).toEqual(new Set([undefined]));
  expect(signOuts(['https://library.example/bye']).every((text) => text?.includes('library.example'))).toBe(true);
});

describe('an application that cannot use the settings gets none of them', () => {
  const signIn = { basic: true, idTokenAlgorithm: 'RS256', defaultResource: true } as const;
  const shown = { ...values, redirectUri: 'https://library.example/auth' };

  test.each([
    ['a public one', { confidential: false, scopes, signIn }],
    ['one with keys', { confidential: true, scopes, signIn, publicKeys: 'https://library.example/keys' }],
    ['one without HTTP Basic', { confidential: true, scopes, signIn: { ...signIn, basic: false } }],
    ['one that must send resource', { confidential: true, scopes, signIn: { ...signIn, defaultResource: false } }],
    ['an API client', { confidential: true, scopes }],
    ['one without openid', { confidential: true, scopes: ['profile'], signIn }],
  ])('%s', (_what, application) => {
    expect(recipesFor(application, shown)).toEqual([]);
  });

  test('while no ID token is issued, neither', () => {
    expect(recipesFor({ confidential: true, scopes, signIn }, { ...shown, algorithm: undefined })).toEqual([]);
    expect(recipesFor({ confidential: true, scopes, signIn }, shown)).toHaveLength(signInRecipes.length);
  });
});
