import { parseMessage } from './translations.ts';

interface Element {
  readonly type: number;
  readonly value?: unknown;
  readonly options?: Readonly<Record<string, { readonly value: readonly Element[] }>>;
}

/** Kinds of elements that are no values: plain words, and `#`. */
const wordy = new Set([0, 7]);

/**
 * The names in the braces of an ICU message.
 *
 * @throws SyntaxError for a message that is none
 */
export function placeholdersOf(message: string): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (elements: readonly Element[]): void => {
    for (const { type, value, options } of elements) {
      if (!wordy.has(type)) names.add(String(value));
      for (const option of Object.values(options ?? {})) visit(option.value);
    }
  };
  visit(parseMessage(message, 'en').getAst());
  return names;
}
