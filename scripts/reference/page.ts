import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

/** A page of `docs/reference`: things that are looked up by their names. */
export interface ReferencePage {
  /** The path of the file, from the root of the repository. */
  readonly file: string;
  readonly title: string;
  /** Markdown, after the title. */
  readonly about: string;
  readonly sections: readonly ReferenceSection[];
}

export interface ReferenceSection {
  readonly title: string;
  /** Markdown, before the entries. */
  readonly about?: string;
  readonly entries: readonly ReferenceEntry[];
}

export interface ReferenceEntry {
  /** Markdown: a name, in code font if it is one of code. */
  readonly heading: string;
  /** What is short enough for one line, as Markdown: a type, a default, a severity. */
  readonly facts?: readonly string[];
  /** Markdown. */
  readonly text: string;
}

/** Where the text of a page comes from, and how it is written again. */
const origin = 'Written by `npm run reference` from the code; a test compares it.';

export async function pageText({ file, title, about, sections }: ReferencePage): Promise<string> {
  const text = [`# ${title}`, about, ...sections.map(sectionText), `<!-- ${origin} -->`].join('\n\n');
  return format(text, { ...(await resolveConfig(join(import.meta.dirname, '../..', file))), parser: 'markdown' });
}

function sectionText({ title, about = '', entries }: ReferenceSection): string {
  return [`## ${title}`, about, ...entries.map(entryText)].filter((part) => part !== '').join('\n\n');
}

function entryText({ heading, facts = [], text }: ReferenceEntry): string {
  return [`### ${heading}`, facts.join(' · '), text].filter((part) => part !== '').join('\n\n');
}

export function code(name: string): string {
  return `\`${name}\``;
}
