export function findPostgres(): string;
