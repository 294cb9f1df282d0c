import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  findRecipe,
  recipesFor,
  returnAddress,
  signInRecipes,
} from '../../../lib/features/applications/pages/sign-in-recipes.ts';

const guide = readFileSync(join(import.meta.dirname, '../../../docs/guides/sign-in-for-websites.md'), 'utf8');
const scopes = ['openid', 'profile', 'email'];
const values = { issuer: 'https://harbour.example', clientId: 'app-Q1w2E3r4T5y6U7i8', algorithm: 'RS256' } as const;

const block = (language: string, text: string): string => `\n\`\`\`${language}\n${text}\`\`\`\n`;

test.each(signInRecipes)('the guide has the settings of $name as the page shows them', (recipe) => {
  const { callback, language, settings, signOut } = recipe;
  const redirectUri = `https://library.example${callback}`;
  expect(guide).toContain(block(language, settings({ ...values, redirectUri, scopes })));
  if (!signOut) return;
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
  const shownOf = signOuts(['https://library.example/bye']).map((text) => text?.includes('library.example'));
  expect(shownOf).toEqual(signInRecipes.map(({ signOut }) => (signOut ? true : undefined)));
});

test.each([
  ['moodle', 'https://moodle.example', 'https://moodle.example/admin/oauth2callback.php'],
  ['moodle', 'https://school.example/moodle/', 'https://school.example/moodle/admin/oauth2callback.php'],
  ['nextcloud', 'https://cloud.example/index.php', 'https://cloud.example/index.php/apps/user_oidc/code'],
  ['moodle', 'https://moodle.example/admin/oauth2callback.php', 'https://moodle.example/admin/oauth2callback.php'],
  ['spring', 'https://library.example', 'https://library.example/login/oauth2/code/school'],
  // The code of a framework says where people return to.
  ['spring', 'https://library.example/back', 'https://library.example/back'],
  [
    'wordpress',
    'https://blog.example/',
    'https://blog.example/wp-admin/admin-ajax.php?action=openid-connect-authorize',
  ],
  ['canvas', 'https://canvas.example', 'https://canvas.example/login/oauth2/callback'],
  ['gitlab', 'https://git.example/', 'https://git.example/users/auth/openid_connect/callback'],
  ['moodle', 'https://moodle.example/?a=1', 'https://moodle.example/?a=1'],
  ['moodle', 'moodle.example', 'moodle.example'],
])('people return to %s at %s as %s', (id, entered, returning) => {
  const recipe = findRecipe(id);
  expect(recipe && returnAddress(recipe, entered)).toBe(returning);
});

test.each(signInRecipes)('the page of an app shows $name where its callback is used, and nothing else', (recipe) => {
  const signIn = { basic: true, idTokenAlgorithm: 'RS256', defaultResource: true } as const;
  const shown = { ...values, redirectUri: `https://library.example${recipe.callback}` };
  const used = recipesFor({ confidential: true, scopes, signIn }, shown).filter(({ isUsed }) => isUsed);
  expect(used.map(({ id }) => id)).toEqual([recipe.id]);
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
