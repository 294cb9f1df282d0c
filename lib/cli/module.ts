import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from './command.ts';

/**
 * Imports a module of the host and takes the export with this name, or its default.
 *
 * @throws UsageError if neither is what is wanted
 */
export async function importExport<T>(
  file: string,
  name: string,
  isWanted: (value: unknown) => value is T,
  wanted: string,
): Promise<T> {
  let module: Record<string, unknown>;
  try {
    module = await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    throw new UsageError(`${file} cannot be imported: ${error instanceof Error ? error.message : String(error)}`);
  }
  for (const each of [name, 'default']) {
    const exported = await module[each];
    if (isWanted(exported)) return exported;
  }
  throw new UsageError(
    `${file} must export ${wanted}, as "default" or "${name}"; it exports ${Object.keys(module).join(', ') || 'nothing'}`,
  );
}

/** A campus of any copy of this package. */
interface Closing {
  close(): Promise<void>;
}

/**
 * Imports the campus of a module for a command, and closes it afterwards: events and hooks of what the command did are then written and called.
 *
 * @throws UsageError for a module without a campus
 */
export async function withCampus<T extends Closing, R>(
  file: string,
  isCampus: (value: unknown) => value is T,
  work: (campus: T) => Promise<R>,
): Promise<R> {
  const campus = await importExport(file, 'campus', isCampus, 'what createCampus returns');
  try {
    return await work(campus);
  } finally {
    await campus.close();
  }
}
