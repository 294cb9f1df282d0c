import * as z from 'zod';
import { func, membersOf, refuse } from '../kernel/option-schemas.ts';
import { isObject, isPlain } from '../kernel/validate.ts';
import { memberDataMethods, type PartialMemberData } from './member-data.ts';

const members = Object.fromEntries(memberDataMethods.map((method) => [method, func().optional()]));

/** Without `schools`, which is near to a name that a class may have: `school`. */
const namesWithHints = memberDataMethods.filter((method) => method !== 'schools');

/** The option `data` of the Member API and of the built-in tools. @internal */
export const memberDataSchema: z.ZodType<PartialMemberData> = z
  .custom<PartialMemberData>(isObject, 'be an object')
  .meta({ type: '`PartialMemberData`' })
  .check(membersOf(members, namesWithHints))
  .check((payload) => {
    const { value } = payload;
    if (isPlain(value) || memberDataMethods.some((method) => value[method] !== undefined)) return;
    refuse(payload, [], `have at least one of ${memberDataMethods.join(', ')}`);
  });
