/**
 * Shows that a feature can be removed: copies the house, deletes the folder of the feature, its line in the list and what the public door exports of
 * it, and compiles lib, adapters and policies. What is made for the feature in `policies` goes with it. `npm run without-feature device`
 */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { printHelp } from './help.mjs';

printHelp(`usage: npm run without-feature [NAME]

Compiles a copy of the sources without a feature: a folder of lib/features, device if none is named.`);

const house = dirname(import.meta.dirname);
const feature = process.argv[2] ?? 'device';
const copy = mkdtempSync(join(tmpdir(), 'without-feature-'));

/** @param {string} path @param {(text: string) => string} change */
function edit(path, change) {
  writeFileSync(join(copy, path), change(readFileSync(join(copy, path), 'utf8')));
}

/** Commands that call the methods of a feature. */
const commandsOf = { people: ['school'], departures: ['school', 'log.ts'], log: ['log.ts'] };

try {
  for (const path of ['lib', 'adapters', 'policies', 'package.json', 'tsconfig.json', 'tsconfig.types.json']) {
    cpSync(join(house, path), join(copy, path), { recursive: true });
  }
  symlinkSync(join(house, 'node_modules'), join(copy, 'node_modules'));
  rmSync(join(copy, 'lib/features', feature), { recursive: true });
  edit('lib/features/features.ts', (text) => {
    const [line = '', name] =
      new RegExp(`^import \\{ (\\w+) \\} from './${feature}/feature\\.ts';\\n`, 'm').exec(text) ?? [];
    return text.replace(line, '').replace(`  ${name},\n`, '');
  });
  const exported = new RegExp(`^export [^;]*? from '\\./features/${feature}/[^;]*;\\n`, 'gm');
  for (const door of ['lib/index.ts', 'lib/grant-types.ts', 'lib/dpop.ts', 'lib/log.ts'])
    edit(door, (text) => text.replaceAll(exported, ''));
  for (const policy of globSync('policies/**/*.ts', { cwd: copy })) {
    if (!readFileSync(join(copy, policy), 'utf8').includes(`/lib/features/${feature}/`)) continue;
    rmSync(join(copy, policy));
    const line = new RegExp(`^export [^;]*? from '\\./${policy.replace('policies/', '')}';\\n`, 'gm');
    edit('policies/index.ts', (text) => text.replaceAll(line, ''));
    console.log(`${policy}: gone with it`);
  }
  for (const file of commandsOf[feature] ?? []) {
    rmSync(join(copy, 'lib/cli', file), { recursive: true });
    const entry = new RegExp(`^  \\w+: \\{\\n[^{}]*?import\\('\\./${file}[^{}]*\\},\\n`, 'gm');
    edit('lib/cli/run.ts', (text) => text.replaceAll(entry, ''));
    console.log(`lib/cli/${file}: gone with it`);
  }
  const compiler = join(house, 'node_modules/typescript/bin/tsc');
  const flags = ['--noEmit', '--emitDeclarationOnly', 'false', '--noUnusedParameters', 'false'];
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.types.json', ...flags], {
    cwd: copy,
    stdio: 'inherit',
  });
  console.log(`The house ${status === 0 ? 'compiles' : 'does not compile'} without ${feature}.`);
  process.exitCode = status ?? 1;
} finally {
  rmSync(copy, { recursive: true });
}
