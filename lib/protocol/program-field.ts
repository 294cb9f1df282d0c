import * as z from 'zod';
import { clientUriField } from './client-fields.ts';
import { isProgramId, type Program, type ProgramId } from './known-programs.ts';
import { group, type Members, text } from './option-schemas.ts';

const demand = 'be the id of one of knownPrograms, or { id, name, publisher, homePage }';
const idDemand = 'be up to 64 small letters, digits and -';

const ownProgram = group({
  id: z.string(idDemand).regex(/^[a-z0-9][a-z0-9-]{0,63}$/, idDemand),
  name: text(),
  publisher: text().optional(),
  homePage: clientUriField,
} satisfies Members<Program>);

/** What a row names as its program: one of `knownPrograms` by its id, or one of the host's own. */
export const programField: z.ZodType<ProgramId | Program | undefined> = z
  .union([ownProgram, z.string().refine(isProgramId, demand)], demand)
  .optional()
  .meta({ type: 'id or `Program`' });
