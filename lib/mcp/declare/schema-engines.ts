import { createRequire } from 'node:module';
import type { Ajv } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { installCommand } from '../install-command.ts';

interface SchemaEngines {
  readonly draft07: Ajv;
  readonly draft2020: Ajv2020;
}

// Unknown keywords and formats are for clients. Defaults are filled in first, because they can decide on scopes.
const options = { strict: false, useDefaults: true, logger: false, addUsedSchema: false } as const;
const require = createRequire(import.meta.url);
let engines: SchemaEngines | undefined;

/**
 * Loads `ajv`, an optional peer, at the first call. `require`, since `mcp()` reports a wrong schema before it returns.
 *
 * @throws Error with the command that installs it, if it is not installed, or an old version is found in its place
 */
export function schemaEngines(): SchemaEngines {
  engines ??= load();
  return engines;
}

function load(): SchemaEngines {
  try {
    const recent: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js');
    const classic: typeof import('ajv') = require('ajv');
    return { draft07: new classic.Ajv(options), draft2020: new recent.Ajv2020(options) };
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'MODULE_NOT_FOUND';
    if (!isMissing || !/'ajv(?:\/dist\/2020\.js)?'/.test(cause.message)) throw cause;
    throw new Error(`campus-oidc/mcp needs ajv 8: run \`${installCommand}\``, { cause });
  }
}
