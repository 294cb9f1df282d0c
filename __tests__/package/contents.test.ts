import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { sbomOf } from '../../scripts/sbom.mjs';
import { node, root } from './commands.ts';
import { emptyProject, type PackedProject, packedProject } from './project.ts';

// npm takes its time on a slow machine.
jest.setTimeout(300_000);

let packed: PackedProject;
beforeAll(async () => {
  packed = await packedProject();
});
afterAll(() => packed.remove());

/** The list of docs/security/dependencies.md: what is installed, beside the package and koa, and what that is. */
const rows = [
  ...readFileSync(join(root, 'docs/security/dependencies.md'), 'utf8').matchAll(
    /^- `npm install campus-oidc koa ?([^`]*)`: (\d+) packages, (\d+\.\d) MB, of which a process loads (\d+\.\d) MB$/gm,
  ),
].map(([, peers = '', ...numbers]) => ({ peers: peers.split(' ').filter(Boolean), numbers: numbers.map(Number) }));

/** What a host imports that has installed these. */
const importsOf = (peers: readonly string[]): string[] => [
  'koa',
  'campus-oidc',
  'campus-oidc/adapters/memory',
  ...(peers.includes('graphql') ? ['campus-oidc/member-api'] : []),
  ...(peers.includes('@modelcontextprotocol/server') ? ['campus-oidc/mcp', '@modelcontextprotocol/server'] : []),
];

test('docs/security/dependencies.md has the size without tools, with them, and with the Member API', () => {
  expect(rows.map(({ peers }) => peers)).toEqual([
    [],
    ['@modelcontextprotocol/server', 'ajv@8'],
    ['graphql', 'graphql-yoga'],
  ]);
});

test('README.md has the first of these sizes', () => {
  const [packages, installed] = rows[0]?.numbers ?? [];
  const readme = readFileSync(join(root, 'README.md'), 'utf8').replaceAll(/\s+/g, ' ');
  expect(readme).toContain(`\`npm install campus-oidc koa\` installs ${packages} packages and ${installed} MB`);
});

test.each(rows)(
  'the sizes in docs/security/dependencies.md are right within a tenth: $peers',
  async ({ peers, numbers }) => {
    const project = emptyProject();
    try {
      await project.install(packed.tarball, 'koa', ...peers);
      const modules = join(project.path, 'node_modules');
      const files = globSync('**/*', { cwd: modules, withFileTypes: true }).filter((file) => file.isFile());
      const installed = files.reduce((bytes, file) => bytes + statSync(join(file.parentPath, file.name)).size, 0);
      const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
      project.write('import-size.mjs', readFileSync(join(root, 'scripts/import-size.mjs'), 'utf8'));
      const imported = Number(await node(['import-size.mjs', ...importsOf(peers)], project.path));
      const measured = [Object.keys(packages).length, installed / 1e6, imported / 1e6];
      const isFar = measured.some((number, i) => Math.abs(number - (numbers[i] ?? 0)) > number / 10);
      expect({ isFar, measured }).toEqual({ isFar: false, measured });
    } finally {
      project.remove();
    }
  },
);

/** Licences that ask for no more than their text. */
const licences = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT'];

test('the bill of materials has every package that is installed, each with a licence that asks for nothing', () => {
  const { bomFormat, metadata, components } = JSON.parse(sbomOf(packed.tarball));
  expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', 'campus-oidc']);
  expect(components.length).toBeGreaterThan(40);
  const wrong = components.filter(({ licenses = [] }: { licenses?: readonly { license?: { id?: string } }[] }) => {
    const ids = licenses.map(({ license }) => license?.id ?? '');
    return ids.length === 0 || !ids.every((id) => licences.includes(id));
  });
  expect(wrong.map(({ purl }: { purl: string }) => purl)).toEqual([]);
});
