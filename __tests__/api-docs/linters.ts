import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

/** Documents, or what was found in them, in one order. */
type Lint = (documents: readonly object[]) => Promise<readonly (readonly string[])[]>;

/** Errors and warnings of Spectral's recommended rules. */
export const spectralProblems: Lint = async (documents) => {
  const linter = new spectral.Spectral();
  linter.setRuleset(new spectral.Ruleset({ extends: [[rulesets.oas, 'recommended']] }));
  const found = [];
  for (const document of documents) {
    const results = await linter.run({ ...document });
    found.push(results.map(({ code, message, path }) => `${code} at ${path.join('/')}: ${message}`));
  }
  return found;
};

const redocly = join(import.meta.dirname, '../../node_modules/@redocly/cli/bin/cli.js');

/** Errors and warnings of Redocly's recommended rules. It is an app: one start for all documents. */
export const redoclyProblems: Lint = async (documents) => {
  const folder = mkdtempSync(join(tmpdir(), 'campus-oidc-openapi-'));
  try {
    const files = documents.map((document, i) => {
      writeFileSync(join(folder, `${i}.json`), JSON.stringify(document));
      return `${i}.json`;
    });
    const args = [redocly, 'lint', '--extends', 'recommended', '--format', 'json', ...files];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const printed = await new Promise<string>((done) => {
      execFile(process.execPath, args, { env, cwd: folder }, (_problems, stdout) => done(stdout));
    });
    return reportsIn(printed);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

interface Report {
  readonly totals: { readonly errors: number; readonly warnings: number; readonly ignored: number };
  readonly problems: readonly {
    readonly ruleId: string;
    readonly message: string;
    readonly location: readonly { readonly pointer?: string }[];
  }[];
}

/** One report after the other, for each file. */
function reportsIn(printed: string): string[][] {
  const texts = printed.split(/(?<=^\})/m).filter((text) => text.trim() !== '');
  return texts.map((text) => {
    const { problems }: Report = JSON.parse(text);
    return problems.map(({ ruleId, message, location: [at] }) => `${ruleId} at ${at?.pointer ?? ''}: ${message}`);
  });
}
