export function printHelp(usage: string): void;
