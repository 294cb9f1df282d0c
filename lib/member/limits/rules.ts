import { type ASTVisitor, GraphQLError, Kind, type ValidationRule } from 'graphql';
import type { MemberApiLimits } from '../../contracts/member-api.ts';
import { isPageSize, pageArgument, pageSizeProblem } from '../schema/page.ts';
import { fragmentCycle, measure, type Measures } from './measures.ts';

const descriptions: Readonly<Record<keyof Measures, (count: number) => string>> = {
  depth: (count) => `is ${count} levels deep`,
  fields: (count) => `has ${count} fields`,
  aliases: (count) => `has ${count} aliases`,
  directives: (count) => `has ${count} directives`,
};
const measures = ['depth', 'fields', 'aliases', 'directives'] as const satisfies readonly (keyof Measures)[];

/** The error for an operation that exceeds a limit: status 400 in both media types. */
export function overLimit(what: string, limit: keyof MemberApiLimits, most: number): GraphQLError {
  return refused(`this operation ${what}; the limit is ${most}`, { code: 'LIMIT_EXCEEDED', limit });
}

/** Validation rules for the limits that depend on the document only, and for documents that cannot be measured. */
export function limitRules(limits: MemberApiLimits): ValidationRule[] {
  return [fragmentCycleRule, sizeRule(limits), reservedNameRule, pageSizeRule];
}

/** Unused fragments are measured too, since later rules compare their fields. */
function sizeRule(limits: MemberApiLimits): ValidationRule {
  return (context): ASTVisitor => ({
    Document: (document) => {
      const measured = measure(document);
      for (const definition of document.definitions) {
        if (!('selectionSet' in definition)) continue;
        const counted = measured(definition);
        const name = measures.find((each) => counted[each] > limits[each]);
        if (name) context.reportError(overLimit(descriptions[name](counted[name]), name, limits[name]));
      }
    },
  });
}

/** The expansion of cyclic fragments is infinite. */
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

/** GraphQL reserves these names, and implementations treat a variable `__proto__` differently. */
function reservedNameRule(context: Parameters<ValidationRule>[0]): ASTVisitor {
  return {
    VariableDefinition: ({ variable: { name } }) => {
      if (!name.value.startsWith('__')) return;
      const message = `a variable must not begin with "__", as $${name.value} does`;
      context.reportError(refused(message, { code: 'GRAPHQL_VALIDATION_FAILED' }));
    },
  };
}

/** Checks page sizes that are literals. `checkNodes` checks those in variables. */
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
