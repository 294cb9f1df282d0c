// Writes the JavaScript of the package: a readable file for each entry point, and files for what several of them share.
import { chmodSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';

const { exports, bin } = JSON.parse(readFileSync('package.json', 'utf8'));
const modules = Object.values(exports).flatMap(({ default: file }) => file ?? []);
const apps = Object.values(bin);

await build({
  entryPoints: [...modules, ...apps].map((file) => file.replace(/^(\.\/)?dist\//, '').replace(/\.js$/, '.ts')),
  outdir: 'dist',
  outbase: '.',
  chunkNames: 'shared/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  packages: 'external',
  charset: 'utf8',
  logLevel: 'warning',
});
for (const app of apps) chmodSync(app, 0o755);
