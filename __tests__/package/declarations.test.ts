import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { openInterfaces } from '../features/open-interfaces.ts';
import { node, root } from './commands.ts';
import { emptyProject, type PackedProject, packedProject } from './project.ts';

// npm and the compilers take their time on a slow machine.
jest.setTimeout(300_000);

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const peers = Object.entries(manifest.peerDependencies).map(([name, range]) => `${name}@${String(range)}`);
/** The entry points that have types, as a host names them. */
const entries = Object.entries<{ types?: string }>(manifest.exports).flatMap(([subpath, { types }]) =>
  types === undefined ? [] : [manifest.name + subpath.slice(1)],
);

/** What a platform with types of its own writes. The files need no other package. */
const ownTypes = ['support.ts', 'inferred.ts', 'named.ts', 'tools.ts', 'scopes.ts'];

/** What features add to, in the words of a host. The other interfaces that they extend are not public. */
const extended = {
  AuthenticationOptions: "NonNullable<Options['clientAuthentication']>[number]",
  ClientProperties: "keyof NonNullable<Options['clients']>[number]",
  FeatureLimits: "keyof Exclude<NonNullable<Options['limits']>, false | Function>",
  FeatureMethods: 'keyof ReturnType<typeof create>',
  FeatureOptions: 'keyof Options',
  FeaturePages: "Parameters<NonNullable<Pages['template']>>[0]['page']",
  FeatureTexts: "keyof NonNullable<Pages['texts']>[string]",
  GrantMembers: "keyof NonNullable<Options['clients']>[number]",
};

/** Compiles only if the types of a function that creates a campus have everything that features add. */
function withFeatures(create: string, entry: string): string {
  const declared = openInterfaces();
  const lists = Object.entries(extended).map(
    ([name, type]) => `export const ${name}: readonly (${type})[] = ${JSON.stringify(declared.get(name))};\n`,
  );
  return `import type { ${create} as create } from '${entry}';
type Options = Parameters<typeof create>[0];
type Pages = NonNullable<Options['pages']>;
${lists.join('')}`;
}

/** The files of each compilation: what one entry point leads to must not be what another one has brought. */
const compilations = [['consumer.ts', ...ownTypes], ['create-campus.ts'], ['create-test-campus.ts']] as const;

let packed: PackedProject;
beforeAll(async () => {
  packed = await packedProject();
});
afterAll(() => packed.remove());

test.each([
  // Later types of Node need the `Disposable` of TypeScript 5.2.
  ['5.0', '22.13.0'],
  ['5.9', '24'],
  ['7.0', '24'],
])(
  'TypeScript %s compiles every entry point and the types of a platform, with every declaration checked',
  async (version, typesOfNode) => {
    const project = emptyProject();
    try {
      await project.install(packed.tarball, `typescript@${version}`, `@types/node@${typesOfNode}`, ...peers);
      const imports = entries.map((entry, i) => `import * as entry${i} from '${entry}';\n`);
      const used = entries.map((_, i) => `entry${i}`);
      project.write('consumer.ts', `${imports.join('')}export const all = [${used.join(', ')}];\n`);
      for (const file of ownTypes) project.write(file, readFileSync(join(root, '__tests__/types', file), 'utf8'));
      project.write('create-campus.ts', withFeatures('createCampus', 'campus-oidc'));
      project.write('create-test-campus.ts', withFeatures('createTestCampus', 'campus-oidc/testing'));
      const compilerOptions = {
        module: 'nodenext',
        target: 'es2022',
        types: ['node'],
        noEmit: true,
        allowImportingTsExtensions: true,
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
      };
      const compiler = 'node_modules/typescript/bin/tsc';
      expect(await node([compiler, '--version'], project.path)).toContain(`Version ${version}.`);
      for (const files of compilations) {
        project.write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
        expect(await node([compiler, '-p', '.', '--pretty', 'false'], project.path)).toBe('');
      }
    } finally {
      project.remove();
    }
  },
);
