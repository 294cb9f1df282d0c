import { parseMessage } from './translations.ts';

interface Element {
  readonly type: number;
  readonly value?: unknown;
  readonly options?: Readonly<Record<string, { readonly value: readonly Element[] }>>;
}

/** Element types without a value: literal text, and `#`. */
const literalTypes = new Set([0, 7]);

/**
 * The names of an ICU message's placeholders.
 *
 * @throws SyntaxError if the message is invalid
 */
export function placeholdersOf(message: string): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (elements: readonly Element[]): void => {
    for (const { type, value, options } of elements) {
      if (!literalTypes.has(type)) names.add(String(value));
      for (const option of Object.values(options ?? {})) visit(option.value);
    }
  };
  visit(parseMessage(message, 'en').getAst());
  return names;
}
