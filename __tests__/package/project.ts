import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './commands.ts';

/** A project of its own, in a temporary directory. */
export interface Project {
  readonly path: string;
  install(...packages: readonly string[]): Promise<void>;
  write(name: string, text: string): void;
  remove(): void;
}

/** A project into which the packed package can be installed. */
export interface PackedProject extends Project {
  readonly tarball: string;
}

export function emptyProject(): Project {
  const path = mkdtempSync(join(tmpdir(), 'campus-oidc-consumer-'));
  const project: Project = {
    path,
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

export async function packedProject(): Promise<PackedProject> {
  const project = emptyProject();
  // `pretest` has built dist; building it again would take it away from under other tests.
  await run('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', project.path]);
  return { ...project, tarball: join(project.path, globSync('*.tgz', { cwd: project.path })[0] ?? 'no tarball') };
}
