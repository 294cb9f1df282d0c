import { buildASTSchema, getNamedType, isInterfaceType, isObjectType, parse } from 'graphql';
import type { DeclaredBoundary } from '../../core/boundaries/boundary.ts';
import { optionError } from '../../kernel/validate.ts';
import type { MemberApiSettings } from '../options.ts';
import type { MemberSchema } from '../schema/executable-schema.ts';
import type { FieldScopes } from './guarded-fields.ts';

/** What says who the viewer is, and where. */
const ofIdentity = ['id', 'name', 'email', 'schools'].map((field) => `Viewer.${field}`);

/**
 * @throws TypeError with all fields that need no scope, in a campus with boundaries, unless the host says that they show nothing of them: no limit
 * reaches them
 */
export function checkOpenFields(
  open: readonly string[],
  { unlimited }: MemberApiSettings,
  boundaries: readonly DeclaredBoundary[],
): void {
  const others = unlimited.filter((field) => !open.includes(field));
  if (others.length > 0) {
    const demand = `have fields that need no scope (${open.join(', ')}), not ${others.join(', ')}`;
    throw optionError('memberApi.unlimited', demand);
  }
  if (boundaries.length === 0) return;
  const unreached = open.filter((field) => !ofIdentity.includes(field) && !unlimited.includes(field));
  if (unreached.length === 0) return;
  const names = boundaries.map(({ name }) => name).join(', ');
  const how = `add @requiresScopes(scopes: […], honours: […]) to the field or its type, or list it in memberApi.unlimited if it does not show ${names}`;
  throw optionError('memberApi', `not serve ${unreached.join(', ')} without a scope if boundaries is set; ${how}`);
}

/** The fields of the viewer, and those that the host adds to a built-in type, that a token without scopes can reach. */
export function openFields({ schema, builtIn }: MemberSchema, scopesOf: FieldScopes): string[] {
  const builtInSchema = buildASTSchema(parse(builtIn));
  const open = new Set<string>();
  const seen = new Set<string>();
  const visit = (name: string | undefined): void => {
    const type = name === undefined || seen.has(name) ? undefined : schema.getType(name);
    if (!name || !(isObjectType(type) || isInterfaceType(type))) return;
    seen.add(name);
    const before = builtInSchema.getType(name);
    for (const field of Object.values(type.getFields())) {
      if (scopesOf(type, field.name).length > 0) continue;
      const isOwn = isObjectType(before) && !(field.name in before.getFields());
      if (isGuarded(getNamedType(field.type).name)) continue;
      if (isOwn || name === 'Viewer') open.add(`${name}.${field.name}`);
      visit(getNamedType(field.type).name);
    }
  };
  /** Whether nothing of it can be selected without a scope. */
  const isGuarded = (named: string): boolean => {
    const type = schema.getType(named);
    if (!(isObjectType(type) || isInterfaceType(type))) return false;
    return Object.keys(type.getFields()).every((field) => scopesOf(type, field).length > 0);
  };
  for (const root of [schema.getQueryType(), schema.getMutationType()]) visit(root?.name);
  return [...open];
}
