export function findMaven(): { bin: string } | undefined;
