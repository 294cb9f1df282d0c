/** A block of commands. Readers paste all blocks, in order, into one shell session. */
export function shellBlock(commands: string): string {
  return `\`\`\`sh\n${commands.trim()}\n\`\`\``;
}
