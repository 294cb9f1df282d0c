import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { node, root } from './commands.ts';
import { emptyProject, type PackedProject, packedProject } from './project.ts';

// npm and the compilers take their time on a slow machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const peers = Object.entries(manifest.peerDependencies).map(([name, range]) => `${name}@${String(range)}`);
/** The entry points that have types, as a host names them. */
const entries = Object.entries<{ types?: string }>(manifest.exports).flatMap(([subpath, { types }]) =>
  types === undefined ? [] : [manifest.name + subpath.slice(1)],
);

/** What a platform with types of its own writes. The files need no other package. */
const ownTypes = ['support.ts', 'inferred.ts', 'named.ts', 'tools.ts', 'scopes.ts'];

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
      project.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['consumer.ts', ...ownTypes] }));
      const compiler = 'node_modules/typescript/bin/tsc';
      expect(await node([compiler, '--version'], project.path)).toContain(`Version ${version}.`);
      expect(await node([compiler, '-p', '.', '--pretty', 'false'], project.path)).toBe('');
    } finally {
      project.remove();
    }
  },
);
