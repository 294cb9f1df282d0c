// Runs the TypeScript blocks of the documentation, which `writeProject` has put into the working directory: loads each as a host
// would, and issues a token at a school with the options that it exports. Prints what failed, by file. A process of its own, since
// the package's name means `dist` here.
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

const root = pathToFileURL(join(import.meta.dirname, '../../package.json')).href;
const blocks = pathToFileURL(process.cwd()).href;
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, context.parentURL?.startsWith(blocks) === true ? { ...context, parentURL: root } : context),
});

const { createCampus } = await import('campus-oidc');
const { memoryStore } = await import('campus-oidc/adapters/memory');
const { fakePlatform, issueTokens } = await import('campus-oidc/testing');

const signing = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
const keys = { signing: [{ ...signing, alg: 'ES256', kid: 'test' }], cookies: ['a secret of the snippets'] };
// The files that blocks read.
writeFileSync('keys.json', JSON.stringify(keys));
writeFileSync('harbour-keys.json', JSON.stringify({ signing: keys.signing }));

const origin = 'https://harbour.example';
const platform = fakePlatform({
  schools: [{ id: 'harbour', origin, name: 'Harbour School' }],
  people: { harbour: { olivia: { roles: ['owner'], firstName: 'Olivia', lastName: 'Owner', classes: ['7b'] } } },
});
const { memberData, catalogue } = platform;
const app = {
  clientId: 'app',
  clientName: 'App',
  audience: 'member',
  redirectUris: ['http://127.0.0.1/callback'],
  scopes: ['openid', 'profile'],
};

/** The options that an export stands for, by its name; the others are types, or functions that need more than this. */
const optionsFrom: Readonly<Record<string, (exported: unknown) => object>> = {
  recommended: Object,
  scopes: Object,
  registration: (value) => (Array.isArray(value) ? { registration: value } : Object(value)),
  partnersOnly: (policy) => ({ registration: [policy] }),
  documents: (metadataDocuments) => ({ metadataDocuments }),
  claims: (claims) => ({ claims }),
  grantOptions: Object,
  portal: (client) => ({ clients: [client, app] }),
  keys: (given) => ({ keys: given }),
  siteKeys: (siteKeys) => ({ siteKeys }),
  pages: (pages) => ({ pages }),
  template: (template) => ({ pages: { template } }),
  consentPage: (consentPage) => ({ pages: { consentPage } }),
  access: (policies) => ({ access: policies }),
  withMemberApi: (make) => call(make, memberData),
  withCertificates: (make) => ({ memberApi: call(make, memberData) }),
  withTools: (make) => call(make, {}, memberData, catalogue),
};

function call(make: unknown, ...args: unknown[]): object {
  if (typeof make !== 'function') throw new TypeError('not a function');
  return Object(Reflect.apply(make, undefined, args));
}

async function serve(options: object): Promise<void> {
  const all = { platform, store: memoryStore(), keys, clients: [app], ...options };
  const campus: ReturnType<typeof createCampus> = Reflect.apply(createCampus, undefined, [all]);
  const faults: string[] = [];
  campus.events.on('fault', ({ message, cause }) => faults.push(`${message}: ${String(cause)}`));
  await issueTokens(campus, { site: origin, memberId: 'olivia', clientId: 'app', scopes: ['openid', 'profile'] });
  await campus.close();
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

const failures: Record<string, string> = {};
const served: string[] = [];
for (const file of process.argv.slice(2)) {
  try {
    const exports: Record<string, unknown> = await import(pathToFileURL(file).href);
    for (const [name, exported] of Object.entries(exports)) {
      const options = optionsFrom[name]?.(exported);
      if (!options) continue;
      await serve(options);
      served.push(name);
    }
  } catch (error) {
    failures[file] = String(error);
  }
}
const missing = Object.keys(optionsFrom).filter((name) => !served.includes(name));
if (missing.length > 0) failures['exported by no block, or failed'] = missing.join(', ');
process.stdout.write(JSON.stringify(failures), () => process.exit());
