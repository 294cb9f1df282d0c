/** What a user of the package writes, under the strictest compiler. */
export const consumer = `import { type Campus, type CampusOptions, createCampus, OAuthError, type SchoolPlatform } from 'campus-oidc';
import { memoryStore } from 'campus-oidc/adapters/memory';
import { loopbackClients } from 'campus-oidc/policies';
import Koa from 'koa';

const platform: SchoolPlatform = {
  findSite: (origin) => ({ id: 'harbour', origin, name: 'Harbour School', connectionsEnabled: true }),
  signedInMember: () => undefined,
  signInUrl: (_ctx, site, returnTo) => \`\${site.origin}/sign-in?return_to=\${encodeURIComponent(returnTo)}\`,
  findMember: async () => undefined,
};
const key = {
  kty: 'EC',
  crv: 'P-256',
  alg: 'ES256',
  kid: 'example',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};
const options: CampusOptions = {
  platform,
  store: memoryStore(),
  keys: { signing: [], published: [key], cookies: ['a secret of the consumer'] },
};
const campus: Campus = createCampus(options);
campus.events.on('fault', ({ message }) => console.error(message));

const app = new Koa();
app.use(campus.middleware());
app.use(campus.requireAccess({ scopes: ['courses:read'] }));

// @ts-expect-error a site is not a number: if this compiled, the package's types would not have been found
const wrong: SchoolPlatform = { ...platform, findSite: () => 5 };

const error = new OAuthError('invalid_request', 'a test');
if (!wrong || error.status !== 400 || typeof loopbackClients !== 'function') throw new Error('not as expected');
await campus.close();
`;

/** Loads the exports that it is given, both ways, and prints each. */
export const loader = `const { createRequire } = await import('node:module');
const require = createRequire(import.meta.url);
for (const subpath of process.argv.slice(2)) {
  const name = 'campus-oidc' + subpath.slice(1);
  const json = name.endsWith('.json');
  const imported = Object.keys(json ? (await import(name, { with: { type: 'json' } })).default : await import(name));
  const required = Object.keys(require(name));
  // A store's contract is types alone.
  if (imported.length === 0 && subpath !== './store') throw new Error(name + ' exports nothing');
  if (required.filter((key) => key !== '__esModule').join() !== imported.join()) throw new Error(name + ' differs');
  console.log(subpath);
}
`;

/** The consumer's compiler options: nothing is left unchecked, our declarations and those below them included. */
export const consumerConfig = (koa: string): object => ({
  compilerOptions: {
    // The declarations of another version of Koa, for ours too.
    ...(koa !== 'koa' && { paths: { koa: [`./node_modules/${koa}`] } }),
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024'],
    types: ['node'],
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: false,
  },
  files: ['consumer.ts'],
});
