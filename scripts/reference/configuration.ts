import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { isFor, scopeCatalogue, type ScopeRow } from '../../lib/core/scopes/scopes.ts';
import { codeOf, type Option, type OptionSection, optionSections } from './options.ts';
import type { PublicApi } from './public-api.ts';

export const configurationFile = 'docs/reference/options.md';

/** The reference of all options and scopes. */
export async function configurationReference(api: PublicApi): Promise<string> {
  const text = `# Configuration

Written by \`npm run reference\`; a test checks that it is up to date. An unknown option or a wrong value throws a
\`TypeError\` that names the option by its path: in the function that gets the option, for example \`mcp()\`.

${optionSections(api).map(sectionText).join('\n')}
${scopeTable()}`;
  const style = await resolveConfig(join(import.meta.dirname, '../..', configurationFile));
  return format(text, { ...style, parser: 'markdown' });
}

function sectionText({ title, options }: OptionSection): string {
  const rows = options.map((option) => {
    const meaning = oneLine(option.meaning).replaceAll('|', '\\|');
    return `| \`${option.path}\` | ${option.type} | ${standardOf(option)} | ${meaning} |`;
  });
  return `## ${title}

| Option | Type | Default | Meaning |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}

/** A group has the defaults of its members, and only TSDoc can say what happens without an option. */
function standardOf({ isRequired, isGroup, standard, saidStandard }: Option): string {
  if (isRequired) return 'required';
  if (standard === undefined) return oneLine(saidStandard ?? 'none').replace(/^'(.*)'$/, '`"$1"`');
  return isGroup ? '' : codeOf(standard);
}

function scopeTable(): string {
  const all: readonly ScopeRow[] = scopeCatalogue;
  const rows = all.map(({ scope, text, ...row }) => {
    const audiences = (['operator', 'member'] as const).filter((audience) => isFor(audience, row.audience));
    return `| \`${scope}\` | ${audiences.join(', ')} | ${text} |`;
  });
  return `## Scopes

The scopes of the specification; \`scopeCatalogue\` exports this table. [Scopes](../guides/scopes-and-claims.md) says how to add your own, replace
texts and leave scopes out.

| Scope | Clients | The consent page says that the application can |
| --- | --- | --- |
${rows.join('\n')}
`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ');
}
