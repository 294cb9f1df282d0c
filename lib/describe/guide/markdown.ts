/** A block of commands. Readers paste all blocks, in order, into one shell session. */
export function shellBlock(commands: string): string {
  return `\`\`\`sh\n${commands.trim()}\n\`\`\``;
}

export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** For example `90 seconds` or `2 hours`. */
export function duration(seconds: number): string {
  const units = Object.entries({ day: 24 * 60 * 60, hour: 60 * 60, minute: 60 });
  const fitting = units.find(([, length]) => seconds >= length && seconds % length === 0);
  const [unit, size] = fitting ?? ['second', 1];
  const count = seconds / size;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
