/** A parameter of a request, as the documents describe it. */
export interface RequestParameter {
  readonly name: string;
  readonly required: boolean;
  /** In Markdown. */
  readonly text: string;
  readonly values?: readonly string[] | undefined;
  readonly maxLength?: number | undefined;
}

export function required(name: string, text: string, values?: readonly string[]): RequestParameter {
  return { name, required: true, text, values };
}

export function optional(name: string, text: string): RequestParameter {
  return { name, required: false, text };
}
