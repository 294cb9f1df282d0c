/** Words, by which pages are measured: without marks and code. */
const wordsIn = (text: string): number => (text.match(/[\p{L}\p{N}][\p{L}\p{N}'’._/-]*/gu) ?? []).length;
const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);
const mean = (numbers: readonly number[]): number => sum(numbers) / (numbers.length || 1);

/** A Markdown text without front matter, blocks of code and comments. */
function prose(markdown: string): string {
  return markdown
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replaceAll(/^( *)(```|~~~)[\s\S]*?^\1\2.*$/gm, '')
    .replaceAll(/<!--[\s\S]*?-->/g, '');
}

/** The words of a page, as they are counted for its length. */
export function wordsOf(markdown: string): number {
  return wordsIn(prose(markdown));
}

/** How long and how dense pages are: what the rules of writing name, and nothing that fails. */
export function documentFigures(pages: readonly string[]): Record<string, number> {
  const texts = pages.map(prose);
  const blocks = texts.flatMap((text) => text.split(/\n\s*\n/)).filter((block) => !/^\s*#/.test(block));
  const [tables, others] = [blocks.filter(isTable), blocks.filter((block) => !isTable(block))];
  const rows = tables.flatMap((table) => table.split('\n')).filter((row) => !/^[\s|:-]+$/.test(row));
  const cells = rows.flatMap((row) => row.split('|').slice(1, -1)).map(wordsIn);
  const items = others.flatMap((block) => block.split(/\n(?=\s*(?:[-*]|\d+\.) )/));
  const sentences = items.flatMap((item) => item.split(/(?<=[.!?])\s+(?=[\p{Lu}`_*[])/u)).map(wordsIn);
  const all = sum(texts.map(wordsIn));
  const headings = texts.flatMap((text) => text.match(/^#{2,6} /gm) ?? []).length;
  const negations = texts.flatMap((text) => text.match(/\b(?:nothing|nobody|none)\b/gi) ?? []).length;
  return {
    words: all,
    'percent of words in cells': Math.round((sum(cells) * 100) / all),
    'words in a paragraph': Math.round(mean(items.map(wordsIn).filter((count) => count > 3))),
    'words in a sentence': Math.round(mean(sentences.filter((count) => count > 2)) * 10) / 10,
    'words for each heading': Math.round(all / (headings || 1)),
    'nothing, nobody, none in 10,000 words': Math.round((negations * 10_000) / all),
  };
}

const isTable = (block: string): boolean => /^\s*\|/.test(block);
