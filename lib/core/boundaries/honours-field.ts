import { list, text } from '../../kernel/option-schemas.ts';
import { optionError } from '../../kernel/validate.ts';
import type { DeclaredBoundary } from './boundary.ts';

/** What a tool, a route or a resource server says of itself. */
export const honoursField = list(
  text('be the type of a boundary'),
  'be an array of types of boundaries, for example ["class"]',
);

/** @throws TypeError for a type that is not declared: it would have no effect */
export function checkHonours(
  boundaries: readonly DeclaredBoundary[],
  honours: readonly string[] = [],
  path: string,
): void {
  const unknown = honours.filter((type) => boundaries.every((boundary) => boundary.type !== type));
  if (unknown.length === 0) return;
  const types = boundaries.map(({ type }) => type).join(', ') || 'empty';
  const others = unknown.map((type) => JSON.stringify(type)).join(', ');
  throw optionError(path, `have types of the option boundaries (${types}), not ${others}`);
}
