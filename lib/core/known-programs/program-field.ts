import * as z from 'zod';
import { clientUriField, group, type Shape, text } from '../../kernel/option-schemas.ts';
import { isProgramId, type Program, type ProgramId } from './known-programs.ts';

const idOfKnown = 'be the id of one of knownPrograms';
const demand = `${idOfKnown}, or { id, name, publisher, homePage }`;
const idDemand = 'be up to 64 small letters, digits and -';

const ownProgram = group({
  id: z.string(idDemand).regex(/^[a-z0-9][a-z0-9-]{0,63}$/, idDemand),
  name: text(),
  publisher: text().optional(),
  homePage: clientUriField,
} satisfies Shape<Program>);

const known = (otherwise: string): z.ZodType<ProgramId> =>
  z.custom<ProgramId>((id) => typeof id === 'string' && isProgramId(id), otherwise);

export const knownProgramId = known(idOfKnown).optional();

/** What a row names as its program: one of `knownPrograms` by its id, or one of the host's own. */
export const programField: z.ZodType<ProgramId | Program | undefined> = z
  .union([ownProgram, known(demand)], demand)
  .optional()
  .meta({ type: 'id or `Program`' });

export const programSchema = z.object({
  id: z.string(),
  name: z.string(),
  publisher: z.string().nullish(),
  homePage: z.string().nullish(),
});
