// Prints what the package brings with it as CycloneDX: `npm run sbom`. It is asked of an installation of the tarball, since the lock file of
// the repository also has what development needs.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printHelp } from './help.mjs';

const root = join(import.meta.dirname, '..');

/** The bill of materials of a tarball, as npm writes it. */
export function sbomOf(tarball) {
  const temporary = mkdtempSync(join(tmpdir(), 'campus-oidc-sbom-'));
  // npm takes the name of the subject from that of the folder.
  const folder = join(temporary, 'campus-oidc');
  mkdirSync(folder);
  const npm = (...args) =>
    execFileSync('npm', [...args, '--loglevel=error'], { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 });
  try {
    execFileSync('tar', ['-xzf', tarball, '--strip-components=1'], { cwd: folder });
    // npm asks for what only development needs, although it is left out.
    npm('pkg', 'delete', 'devDependencies', 'workspaces', 'overrides');
    npm('install', '--omit=dev', '--omit=peer', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund');
    return npm('sbom', '--omit=dev', '--omit=peer', '--sbom-format=cyclonedx', '--sbom-type=library');
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  printHelp(`usage: npm run sbom

Prints what the package brings with it, as CycloneDX.`);
  const folder = mkdtempSync(join(tmpdir(), 'campus-oidc-pack-'));
  try {
    const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
    const name = execFileSync('npm', args, { cwd: root, encoding: 'utf8' }).trim();
    console.log(sbomOf(join(folder, name)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
