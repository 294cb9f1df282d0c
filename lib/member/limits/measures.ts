import {
  type DocumentNode,
  type ExecutableDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { fragmentsOf } from '../request/operation.ts';

/** The size of an operation or fragment. A fragment counts each time it is spread. */
export interface Measures {
  readonly depth: number;
  readonly fields: number;
  readonly aliases: number;
  readonly directives: number;
}

const nothing: Measures = { depth: 0, fields: 0, aliases: 0, directives: 0 };

/** Introspection queries are deep because types are wrapped. graphql has a separate rule for their depth. */
const introspection: ReadonlySet<string> = new Set(['__schema', '__type']);

interface Measured {
  /** The size of each definition. Unused fragments count as well, since later rules compare their fields. */
  readonly sizes: readonly Measures[];
  /** Names of fragments that spread each other, with the same first and last name. */
  readonly cycle: readonly string[] | undefined;
}

/**
 * Measures the definitions of a document. Each fragment is measured once, so the work is proportional to the size of the
 * document and not of its expansion. A fragment that spreads itself adds nothing.
 */
export function measure(document: DocumentNode): Measured {
  const fragments = fragmentsOf(document);
  const known = new Map<string, Measures>();
  /** The fragments that are being measured, each in the one before. */
  const open: string[] = [];
  let cycle: readonly string[] | undefined;
  for (const name of fragments.keys()) ofFragment(name);
  const definitions = document.definitions.filter((definition) => 'selectionSet' in definition);
  return { sizes: definitions.map(ofDefinition), cycle };

  function ofDefinition({ directives, selectionSet }: ExecutableDefinitionNode): Measures {
    return add({ ...nothing, directives: directives?.length ?? 0 }, ofSet(selectionSet));
  }

  function ofSet(selectionSet: SelectionSetNode | undefined): Measures {
    return (selectionSet?.selections ?? []).map(ofSelection).reduce(add, nothing);
  }

  function ofSelection(selection: SelectionNode): Measures {
    const { depth, fields, aliases, directives } =
      selection.kind === Kind.FRAGMENT_SPREAD ? ofFragment(selection.name.value) : ofSet(selection.selectionSet);
    const isField = selection.kind === Kind.FIELD;
    return {
      depth: isField && introspection.has(selection.name.value) ? 1 : depth + 1,
      fields: fields + (isField ? 1 : 0),
      aliases: aliases + (isField && selection.alias ? 1 : 0),
      directives: directives + (selection.directives?.length ?? 0),
    };
  }

  function ofFragment(name: string): Measures {
    const fragment = fragments.get(name);
    const measured = known.get(name);
    if (measured || !fragment) return measured ?? nothing;
    if (open.includes(name)) {
      cycle ??= [...open.slice(open.indexOf(name)), name];
      return nothing;
    }
    open.push(name);
    const total = ofDefinition(fragment);
    open.pop();
    known.set(name, total);
    return total;
  }
}

function add(one: Measures, other: Measures): Measures {
  const sum = (name: keyof Measures): number => Math.min(one[name] + other[name], Number.MAX_SAFE_INTEGER);
  const depth = Math.max(one.depth, other.depth);
  return { depth, fields: sum('fields'), aliases: sum('aliases'), directives: sum('directives') };
}
