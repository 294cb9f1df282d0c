/**
 * Shows that a feature can be removed: copies the house, deletes the folder of the feature and its lines in the tables of
 * `lib/features`, and compiles lib, adapters and policies. What is made for the feature in `policies` goes with it.
 * `npm run without-feature device`
 */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const house = dirname(import.meta.dirname);
const feature = process.argv[2] ?? 'device';
const copy = mkdtempSync(join(tmpdir(), 'without-feature-'));

/** `import a, { b, type C } from './device/facts.ts';`, in one line or in several. */
const statements = new RegExp(`^(import|export) ([^;]*?) from '\\./(?:features/)?${feature}/[^;]*;\\n`, 'gm');

/** The names that a statement brings into a file. */
function namesIn(clause) {
  return clause.replaceAll(/\btype\b|[{}]/g, ' ').match(/\w+/g) ?? [];
}

/** Without what a table has of one name: an entry, a spread, or a part of a type. */
function without(text, name) {
  return text
    .replaceAll(new RegExp(`\\.\\.\\.${name}\\b(?:\\([^)]*\\))?,?`, 'g'), '')
    .replaceAll(new RegExp(`\\[${name}\\.name\\]: ${name}\\b,?`, 'g'), '')
    .replaceAll(new RegExp(`\\b\\w+: ${name}\\b,?(?=\\s*[\\w}])`, 'g'), '')
    .replaceAll(
      new RegExp(`\\s[&|]\\s+(?:typeof )?${name}\\b(?:<\\w+>)?|\\b(?:typeof )?${name}(?:<\\w+>)? [&|]\\s`, 'g'),
      '',
    )
    .replaceAll(new RegExp(`(?<=[[,]\\s*)${name}\\b,?(?=[^\\]]*\\])`, 'g'), '')
    .replaceAll(
      new RegExp(`\\btypeof ${name}\\b|(?<== )${name}(?=;)`, 'g'),
      /(?:Name|Row|Grant)$/.test(name) ? 'never' : 'object',
    );
}

function read(path) {
  return readFileSync(join(copy, path), 'utf8');
}

try {
  for (const path of ['lib', 'adapters', 'policies', 'package.json', 'tsconfig.json', 'tsconfig.types.json']) {
    cpSync(join(house, path), join(copy, path), { recursive: true });
  }
  symlinkSync(join(house, 'node_modules'), join(copy, 'node_modules'));
  rmSync(join(copy, 'lib/features', feature), { recursive: true });
  const tables = readdirSync(join(copy, 'lib/features')).filter((name) => name.endsWith('.ts'));
  for (const table of ['lib/index.ts', 'lib/grant-types.ts', ...tables.map((name) => `lib/features/${name}`)]) {
    const text = read(table);
    const names = [...text.matchAll(statements)].flatMap(([, kind, clause]) =>
      kind === 'import' ? namesIn(clause) : [],
    );
    const left = names.reduce(without, text.replaceAll(statements, ''));
    if (left === text) continue;
    writeFileSync(join(copy, table), left);
    console.log(`${table}: without ${names.join(', ') || 'what it exports'}`);
  }
  const policies = globSync('policies/**/*.ts', { cwd: copy });
  for (const policy of policies.filter((path) => read(path).includes(`/lib/features/${feature}/`))) {
    rmSync(join(copy, policy));
    const exported = new RegExp(`^export [^;]*? from '\\./${policy.replace('policies/', '')}';\\n`, 'gm');
    writeFileSync(join(copy, 'policies/index.ts'), read('policies/index.ts').replace(exported, ''));
    console.log(`${policy}: gone with it`);
  }
  const compiler = join(house, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(
    process.execPath,
    [
      compiler,
      '-p',
      'tsconfig.types.json',
      '--noEmit',
      '--emitDeclarationOnly',
      'false',
      '--noUnusedParameters',
      'false',
    ],
    {
      cwd: copy,
      stdio: 'inherit',
    },
  );
  console.log(
    status === 0 ? `The house compiles without ${feature}.` : `The house does not compile without ${feature}.`,
  );
  process.exitCode = status ?? 1;
} finally {
  rmSync(copy, { recursive: true });
}
