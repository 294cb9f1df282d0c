/** How a module loads what it needs. */
export type Format = 'esm' | 'cjs';

export const formats: readonly Format[] = ['esm', 'cjs'];

export const extension: Readonly<Record<Format, string>> = { esm: 'mjs', cjs: 'cjs' };

const load = {
  esm: (what: string, from: string): string => `import ${what} from '${from}';`,
  cjs: (what: string, from: string): string => `const ${what} = require('${from}');`,
};

interface Host {
  /** The module, and the name under which the server has it; a default export. */
  readonly module: string;
  /** Makes `listener` of `campus`, with a route of its own behind it. */
  readonly text: string;
}

const koa = `const app = new Framework();
app.use(campus.middleware());
app.use((ctx) => void (ctx.body = 'own'));
const listener = app.callback();`;

export const hosts = {
  'Koa 3': { module: 'koa', text: koa },
  'Koa 2': { module: 'koa-2', text: koa },
} satisfies Record<string, Host>;

export type HostName = keyof typeof hosts;

export const hostNames: readonly HostName[] = ['Koa 3', 'Koa 2'];

/**
 * A server that asks itself, prints what it saw as JSON, and ends: the issuer of a school, the error of an empty token request,
 * and a route of the host.
 */
export function serverText({ module, text }: Host, format: Format): string {
  const as = load[format];
  return `${as('{ generateKeyPairSync }', 'node:crypto')}
${as('{ createServer }', 'node:http')}
${as('{ createCampus }', 'campus-oidc')}
${as('{ memoryStore }', 'campus-oidc/adapters/memory')}
${as('Framework', module)}

const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
const campus = createCampus({
  platform: {
    findSite: (origin) => ({ id: 'harbour', origin, name: 'Harbour School', connectionsEnabled: true }),
    signedInMember: () => undefined,
    signInUrl: () => '/sign-in',
    findMember: () => undefined,
  },
  store: memoryStore(),
  keys: { signing: [{ ...key, alg: 'ES256', kid: 'k' }], cookies: ['a secret of the server'] },
});
${text}
const server = createServer(listener).listen(0, async () => {
  const origin = 'http://localhost:' + server.address().port;
  const body = new URLSearchParams({ grant_type: 'refresh_token' });
  const [metadata, token, own] = await Promise.all([
    fetch(origin + '/.well-known/openid-configuration').then((response) => response.json()),
    fetch(origin + '/api/oauth/token', { method: 'POST', body }).then((response) => response.json()),
    fetch(origin + '/own').then((response) => response.text()),
  ]);
  console.log(JSON.stringify([metadata.issuer === origin, token.error, own]));
  server.closeAllConnections();
  server.close();
});
`;
}
