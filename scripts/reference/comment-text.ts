import type { JSONOutput } from '../../tools/docs/json.ts';

/** A tag of a TSDoc comment, such as `@default`, and what stands after it. */
export interface TagText {
  readonly tag: string;
  /** The parameter that it is about. */
  readonly name?: string | undefined;
  readonly text: string;
}

/** A TSDoc comment, as Markdown. */
export interface CommentText {
  readonly summary: string;
  readonly tags: readonly TagText[];
}

/** The comments of a declaration. Those of a function are at its signatures. */
export function commentsOf({ comment, signatures = [] }: JSONOutput.DeclarationReflection): CommentText[] {
  return comment ? [commentText(comment)] : signatures.flatMap(signatureComment);
}

function signatureComment({ comment, parameters = [] }: JSONOutput.SignatureReflection): CommentText[] {
  if (!comment) return [];
  const { summary, tags } = commentText(comment);
  const described = parameters.flatMap(({ name, comment: said }) =>
    said ? [{ tag: '@param', name, text: markdown(said.summary) }] : [],
  );
  return [{ summary, tags: [...described, ...tags] }];
}

function commentText({ summary, blockTags = [] }: JSONOutput.Comment): CommentText {
  return {
    summary: markdown(summary),
    // What stands in braces after a tag is a type to TypeDoc, and a value to us.
    tags: blockTags.map(({ tag, name, typeAnnotation, content }) => {
      return { tag, name, text: [typeAnnotation, markdown(content)].filter(Boolean).join(' ') };
    }),
  };
}

function markdown(parts: readonly JSONOutput.CommentDisplayPart[]): string {
  return parts
    .map((part) => (part.kind === 'inline-tag' ? `\`${part.text}\`` : part.text))
    .join('')
    .trim();
}
