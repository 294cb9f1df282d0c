import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from './commands.ts';

/** A project of its own, into which the packed package is installed. */
export interface Project {
  readonly path: string;
  readonly tarball: string;
  install(...packages: readonly string[]): Promise<void>;
  write(name: string, text: string): void;
  remove(): void;
}

export async function packedProject(): Promise<Project> {
  const path = mkdtempSync(join(tmpdir(), 'campus-oidc-consumer-'));
  // `pretest` has built dist; building it again would take it away from under other tests.
  await run('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', path]);
  const tarball = join(path, globSync('*.tgz', { cwd: path })[0] ?? 'no tarball');
  const project: Project = {
    path,
    tarball,
    install: async (...packages) => {
      const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
      await run('npm', ['install', '--omit=dev', ...quiet, ...packages], path);
    },
    write: (name, text) => writeFileSync(join(path, name), text),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
  project.write('package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  return project;
}

/** The version of a development dependency, so that the project gets the one that the tests are written for. */
export function versionOf(name: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
  return `${name}@${version}`;
}
