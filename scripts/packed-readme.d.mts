export function packedReadme(readme: string): string;
