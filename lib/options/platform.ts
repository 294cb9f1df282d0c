import * as z from 'zod';
import { platformMethods, type SchoolPlatform } from '../contracts/platform.ts';
import { hasMembers, list, methods, refuseUnknown } from '../protocol/option-schemas.ts';
import { findMisspelt } from '../protocol/misspelt.ts';
import { isObject, isPlain } from '../protocol/validate.ts';

/** @internal */
export const operatorRolesSchema: z.ZodType<readonly string[]> = list(z.string(), 'be an array of strings')
  .prefault(['owner', 'admin'])
  .describe('Roles that make a member an operator.');

const platformMembers = { ...methods(platformMethods), operatorRoles: operatorRolesSchema };

export const platformSchema: z.ZodType<SchoolPlatform> = z
  .custom<SchoolPlatform>(isObject, 'be an object')
  .meta({ description: 'What only the host knows.', type: '`SchoolPlatform`' })
  .check((payload) => {
    // An instance of a class has members of its own; an unknown member of a plain object is a mistake.
    if (isPlain(payload.value)) return hasMembers(z.strictObject(platformMembers))(payload);
    const misspelt = findMisspelt(payload.value, Object.keys(platformMembers));
    if (misspelt) return refuseUnknown(payload, [misspelt.name], [misspelt.meant]);
    return hasMembers(z.object(platformMembers))(payload);
  });
