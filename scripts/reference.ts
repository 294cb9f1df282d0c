// npm run reference: writes the pages that are made from the declarations in dist and the schemas of the options. A test compares them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { apiReport, apiReportFile } from './reference/api-report.ts';
import { configurationFile, configurationReference } from './reference/configuration.ts';
import { readPublicApi } from './reference/public-api.ts';
import { printHelp } from './help.mjs';

printHelp(`usage: npm run reference

Builds, and writes docs/reference/options.md and contributing/api.md.`);

const api = await readPublicApi();
const pages = { [apiReportFile]: await apiReport(api), [configurationFile]: await configurationReference(api) };
for (const [file, text] of Object.entries(pages)) {
  const path = join(import.meta.dirname, '..', file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
