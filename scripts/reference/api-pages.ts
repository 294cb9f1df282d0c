import { format, resolveConfig } from 'prettier';
import { type CommentText, commentsOf } from './comment-text.ts';
import type { Declaration, PublicApi } from './public-api.ts';

/** The page of an entry point. */
export interface ApiPage {
  /** The last part of its address. */
  readonly entry: string;
  /** What a host imports. */
  readonly specifier: string;
  readonly markdown: string;
}

/** The reference of what the package exports, with its TSDoc, for the site: a page for each entry point. */
export async function apiPages(api: PublicApi): Promise<ApiPage[]> {
  const style = await resolveConfig(import.meta.filename);
  const section = async (declaration: Declaration): Promise<string> => {
    const code = await format(api.textOf(declaration, { comments: true }), { ...style, parser: 'typescript' });
    const said = commentsOf(declaration).map(commentMarkdown).join('\n\n');
    return `## ${declaration.name}\n\n${said}\n\n\`\`\`ts\n${shortened(code.replaceAll(/^declare /gm, ''))}\`\`\`\n`;
  };
  return Promise.all(
    api.entryPoints.map(async ({ specifier, exports }) => {
      const sections = await Promise.all(exports.toSorted((a, b) => a.name.localeCompare(b.name)).map(section));
      return {
        entry: specifier.replaceAll('/', '-'),
        specifier,
        markdown: `# ${specifier}\n\n${sections.join('\n')}`,
      };
    }),
  );
}

const words: Readonly<Record<string, string>> = {
  '@throws': '**Throws** ',
  '@default': '**Default:** ',
  '@returns': '**Returns** ',
};

function commentMarkdown({ summary, tags }: CommentText): string {
  const said = tags.map(({ tag, name, text }) => `${words[tag] ?? (name === undefined ? '' : `\`${name}\`: `)}${text}`);
  return [summary, ...said].join('\n\n');
}

/** A table of data is as long as its rows. */
function shortened(code: string): string {
  const lines = code.split('\n');
  return lines.length <= 200 ? code : `${lines.slice(0, 40).join('\n')}\n// … and ${lines.length - 41} more lines\n`;
}
