import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { node, root } from './commands.ts';
import { emptyProject, type PackedProject, type Project, packedProject } from './project.ts';

// Package managers take their time on a slow machine.
jest.setTimeout(600_000);

/** What README.md has one save, on the packages that it has one install. */
const [, names = ''] =
  /^ {4}npm install (campus-oidc .*?)(?: *#.*)?$/m.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
const others = names.split(' ').slice(1);
const campus = readFileSync(join(root, 'examples/get-started/campus.ts'), 'utf8');
const start = `import Koa from 'koa';
import { campus } from './campus.ts';
new Koa().use(campus.middleware()).callback();
console.log((await campus.health()).ok);
await campus.close();
`;

let packed: PackedProject;
let tools: Project;
beforeAll(async () => {
  packed = await packedProject();
  tools = emptyProject();
  await tools.install('pnpm@10', '@yarnpkg/cli-dist@4');
});
afterAll(() => {
  packed.remove();
  tools.remove();
});

test('README.md installs the package, its host and what tools need in one line', () => {
  expect(names).toBe('campus-oidc koa @modelcontextprotocol/server ajv@8');
});

test.each<[string, (project: Project) => Promise<unknown>]>([
  ['npm', (project) => project.install(packed.tarball, ...others)],
  [
    'pnpm, which shows a package only its own dependencies',
    (project) =>
      node([join(tools.path, 'node_modules/pnpm/bin/pnpm.cjs'), 'add', packed.tarball, ...others], project.path),
  ],
  [
    'Yarn 4, in node_modules',
    (project) => {
      project.write('.yarnrc.yml', 'nodeLinker: node-modules\nenableTelemetry: false\n');
      project.write('yarn.lock', '');
      const yarn = join(tools.path, 'node_modules/@yarnpkg/cli-dist/bin/yarn.js');
      return node([yarn, 'add', `campus-oidc@file:${packed.tarball}`, ...others], project.path);
    },
  ],
])('%s installs the tarball, and the campus of README.md runs', async (_manager, install) => {
  const project = emptyProject();
  try {
    await install(project);
    project.write('campus.ts', campus);
    project.write('start.ts', start);
    expect(await node(['start.ts'], project.path)).toBe('true\n');
  } finally {
    project.remove();
  }
});
