/** A block of the guide; a string is a paragraph. Text can have code in backquotes, **strong** words and [links](https://…). */
export type Part =
  | string
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[]; readonly ordered: boolean }
  | { readonly kind: 'table'; readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'shell'; readonly commands: string };

export function heading(level: 1 | 2 | 3, text: string): Part {
  return { kind: 'heading', level, text };
}

export function list(items: readonly string[], ordered = false): Part {
  return { kind: 'list', items, ordered };
}

export function table(columns: readonly string[], rows: readonly (readonly string[])[]): Part {
  return { kind: 'table', columns, rows };
}

/** A block of commands. Readers paste all blocks, in order, into one shell session. */
export function shell(commands: string): Part {
  return { kind: 'shell', commands: commands.trim() };
}

/** For example `90 seconds` or `2 hours`. */
export function duration(seconds: number): string {
  const units = Object.entries({ day: 24 * 60 * 60, hour: 60 * 60, minute: 60 });
  const fitting = units.find(([, length]) => seconds >= length && seconds % length === 0);
  const [unit, size] = fitting ?? ['second', 1];
  const count = seconds / size;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

export function markdownOf(parts: readonly Part[]): string {
  return `${parts.map(markdownBlock).join('\n\n')}\n`;
}

function markdownBlock(part: Part): string {
  if (typeof part === 'string') return part;
  if (part.kind === 'heading') return `${'#'.repeat(part.level)} ${part.text}`;
  if (part.kind === 'shell') return `\`\`\`sh\n${part.commands}\n\`\`\``;
  if (part.kind === 'list')
    return part.items.map((item, i) => `${part.ordered ? `${i + 1}.` : '-'} ${item}`).join('\n');
  return [part.columns, part.columns.map(() => '---'), ...part.rows].map(markdownRow).join('\n');
}

function markdownRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
