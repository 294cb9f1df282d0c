/** A block of shell commands, as a reader pastes them one after the other into one shell. */
export function shellBlock(commands: string): string {
  return `\`\`\`sh\n${commands.trim()}\n\`\`\``;
}
