// Finds (or unpacks) a headless Chromium for the browser tests. No root, no download beyond `npm ci`.
// Order: CHROMIUM_BIN > the copy inside @sparticuz/chromium (linux x64) > chromium / google-chrome on PATH > an error.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { startCommand } from './start-command.mjs';
import { printHelp } from './help.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const flags = ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none'];

function embedded() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  let home;
  try {
    // the package's `exports` hide package.json: walk up from its entry point
    home = dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium'));
    while (!existsSync(join(home, 'bin', 'chromium.br'))) {
      if (home === dirname(home)) return undefined;
      home = dirname(home);
    }
  } catch {
    return undefined;
  }
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  const dir = join(root, 'node_modules', '.cache', `chromium-${version}`);
  if (!existsSync(join(dir, 'chromium'))) {
    const tmp = `${dir}.${process.pid}`;
    rmSync(tmp, { recursive: true, force: true });
    mkdirSync(tmp, { recursive: true });
    const inflate = (f) => brotliDecompressSync(readFileSync(join(home, 'bin', f)));
    writeFileSync(join(tmp, 'chromium'), inflate('chromium.br'));
    chmodSync(join(tmp, 'chromium'), 0o755);
    for (const f of ['al2023.tar.br', 'fonts.tar.br']) execFileSync('tar', ['-x', '-C', tmp], { input: inflate(f) });
    writeFileSync(
      join(tmp, 'fonts.conf'),
      `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${dir}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${dir}-fc-cache</cachedir></fontconfig>`,
    );
    try {
      renameSync(tmp, dir);
    } catch (e) {
      rmSync(tmp, { recursive: true, force: true });
      if (!existsSync(join(dir, 'chromium'))) throw e;
    }
  }
  const bin = join(dir, 'chromium');
  const plain = { FONTCONFIG_FILE: join(dir, 'fonts.conf') };
  for (const env of [
    plain,
    { ...plain, LD_LIBRARY_PATH: [join(dir, 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':') },
  ]) {
    const r = spawnSync(bin, ['--version'], { encoding: 'utf8', env: { ...process.env, ...env } });
    if (r.status === 0)
      return {
        executablePath: bin,
        env,
        args: flags,
        version: r.stdout.trim(),
        source: 'npm: @sparticuz/chromium',
      };
  }
  return undefined;
}

const check = (bin, source) => {
  const r = spawnSync(bin, ['--version'], { encoding: 'utf8' });
  return r.status === 0 ? { executablePath: bin, env: {}, args: flags, version: r.stdout.trim(), source } : undefined;
};

export function findChromium() {
  if (process.env.CHROMIUM_BIN) {
    const c = check(process.env.CHROMIUM_BIN, 'CHROMIUM_BIN');
    if (!c) throw new Error(`CHROMIUM_BIN=${process.env.CHROMIUM_BIN} does not run`);
    return c;
  }
  const e = embedded();
  if (e) return e;
  for (const name of ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']) {
    for (const d of (process.env.PATH ?? '').split(delimiter)) {
      const p = join(d, name);
      try {
        accessSync(p, constants.X_OK);
      } catch {
        continue;
      }
      const c = check(p, 'PATH');
      if (c) return c;
    }
  }
  throw new Error(
    'No Chromium found for the browser tests. Set CHROMIUM_BIN, or install one: "apt-get install chromium" (Debian), "brew install --cask chromium" (macOS).',
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  printHelp(`usage: node scripts/chromium.mjs

Finds a headless Chromium, and prints the command that starts it.
  CHROMIUM_BIN  of the environment comes first`);
  const t = performance.now();
  const c = findChromium();
  console.log(
    `${c.version} from ${c.source}: ${startCommand(c.executablePath, c.env)} (${Math.round(performance.now() - t)} ms)`,
  );
}
