import { type ASTVisitor, GraphQLError, Kind, type ValidationRule } from 'graphql';
import type { MemberApiLimits } from '../../contracts/member-api.ts';
import { isPageSize, pageArgument, pageSizeProblem } from '../schema/page.ts';
import { fragmentCycle, measure, type Measures } from './measures.ts';

const words: Readonly<Record<keyof Measures, (count: number) => string>> = {
  depth: (count) => `is ${count} levels deep`,
  fields: (count) => `has ${count} fields`,
  aliases: (count) => `has ${count} aliases`,
  directives: (count) => `has ${count} directives`,
};
const measures = ['depth', 'fields', 'aliases', 'directives'] as const satisfies readonly (keyof Measures)[];

/** An operation that is more than the limit allows; refused with 400 whatever the caller accepts. */
export function overLimit(what: string, limit: keyof MemberApiLimits, most: number): GraphQLError {
  return refused(`this operation ${what}; the limit is ${most}`, { code: 'LIMIT_EXCEEDED', limit });
}

/** Validation rules for all limits that a document alone can break, and for what none of ours could be sure about. */
export function limitRules(limits: MemberApiLimits): ValidationRule[] {
  return [fragmentCycleRule, sizeRule(limits), reservedNameRule, pageSizeRule];
}

/** What no operation spreads is measured, too: the rules that come later compare its fields all the same. */
function sizeRule(limits: MemberApiLimits): ValidationRule {
  return (context): ASTVisitor => ({
    Document: (document) => {
      const measured = measure(document);
      for (const definition of document.definitions) {
        if (!('selectionSet' in definition)) continue;
        const counted = measured(definition);
        const name = measures.find((each) => counted[each] > limits[each]);
        if (name) context.reportError(overLimit(words[name](counted[name]), name, limits[name]));
      }
    },
  });
}

/** Fragments that spread each other have no end. */
function fragmentCycleRule(context: Parameters<ValidationRule>[0]): ASTVisitor {
  return {
    Document: (document) => {
      const cycle = fragmentCycle(document);
      if (!cycle) return;
      const message = `the fragment ${cycle[0]} spreads itself: ${cycle.join(' → ')}`;
      context.reportError(refused(message, { code: 'LIMIT_EXCEEDED' }));
    },
  };
}

/** GraphQL keeps these names for itself, and engines differ in what they make of a variable `__proto__`. */
function reservedNameRule(context: Parameters<ValidationRule>[0]): ASTVisitor {
  return {
    VariableDefinition: ({ variable: { name } }) => {
      if (!name.value.startsWith('__')) return;
      const message = `a variable must not begin with "__", as $${name.value} does`;
      context.reportError(refused(message, { code: 'GRAPHQL_VALIDATION_FAILED' }));
    },
  };
}

/** Page sizes that stand in the text, whatever graphql would say of such a number; the cost has those in variables. */
function pageSizeRule(context: Parameters<ValidationRule>[0]): ASTVisitor {
  return {
    Argument: (argument) => {
      const { name, value } = argument;
      if (name.value !== pageArgument || value.kind !== Kind.INT) return;
      const size = Number(value.value);
      if (!isPageSize(size)) context.reportError(pageSizeProblem(size, argument));
    },
  };
}

function refused(message: string, extensions: Readonly<Record<string, unknown>>): GraphQLError {
  return new GraphQLError(message, { extensions: { ...extensions, http: { status: 400, spec: false } } });
}
