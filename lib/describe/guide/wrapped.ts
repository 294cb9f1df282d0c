const width = 120;

/** Blank lines, code, tables and headings stay as they are. */
const fixed = /^(?:$|\||#)/;
const item = /^(?:- |\d+\. )/;

/** Markdown with the lines of its paragraphs and list items filled anew, whatever was put into them. */
export function wrapped(markdown: string): string {
  const lines: string[] = [];
  let paragraph: string[] = [];
  let code = false;
  const settle = (): void => {
    lines.push(...filled(paragraph.join(' ')));
    paragraph = [];
  };
  for (const line of markdown.split('\n')) {
    const fence = line.startsWith('```');
    if (code || fence || fixed.test(line)) {
      settle();
      lines.push(line);
      if (fence) code = !code;
    } else {
      if (item.test(line)) settle();
      paragraph.push(line.trim());
    }
  }
  settle();
  return lines.join('\n');
}

/** Lines of at most the width; what stands in backticks is kept together. */
function filled(text: string): string[] {
  const indent = ' '.repeat(item.exec(text)?.[0].length ?? 0);
  const lines: string[] = [];
  for (const [word] of text.matchAll(/(?:`[^`]*`|\S)+/g)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(last === undefined ? word : indent + word);
  }
  return lines;
}
