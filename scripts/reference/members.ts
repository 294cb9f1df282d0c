import type { JSONOutput } from '../../tools/docs/json.ts';
import { commentsOf } from './comment-text.ts';
import type { Declaration, PublicApi } from './public-api.ts';

type SomeType = JSONOutput.SomeType;

/** Finds the documented member of a type, or of a type in it: of the items of a list, or of what a function returns. */
export function findMember({ declarationOf }: PublicApi, type: SomeType, name: string): Declaration | undefined {
  const seen = new Set<Declaration>();
  const first = (types: readonly (SomeType | undefined)[]): Declaration | undefined => {
    for (const each of types) {
      const found = each && inType(each);
      if (found) return found;
    }
    return undefined;
  };
  const inDeclaration = (declaration: Declaration | undefined): Declaration | undefined => {
    if (!declaration || seen.has(declaration)) return undefined;
    seen.add(declaration);
    const { children = [], signatures = [] } = declaration;
    const member = children.find((each) => each.name === name && commentsOf(each).length > 0);
    return member ?? first([declaration.type, ...signatures.map((each) => each.type)]);
  };
  const inType = (given: SomeType): Declaration | undefined => {
    if (given.type === 'reference') return inDeclaration(declarationOf(given)) ?? first(given.typeArguments ?? []);
    if (given.type === 'reflection') return inDeclaration(given.declaration);
    if (given.type === 'union' || given.type === 'intersection') return first(given.types);
    if (given.type === 'array') return inType(given.elementType);
    return given.type === 'typeOperator' ? inType(given.target) : undefined;
  };
  return inType(type);
}
