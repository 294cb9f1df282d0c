import * as z from 'zod';
import { clientUriField, group, type Shape, text } from '../../kernel/option-schemas.ts';
import { appKindField, appKinds } from './app-kind.ts';
import { isKnownAppId, type DescribedApp, type KnownAppId } from './known-apps.ts';

const idOfKnown = 'be the id of one of knownApps';
const demand = `${idOfKnown}, or { id, name, publisher, homePage, kind }`;
const idDemand = 'be up to 64 small letters, digits and -';

const ownApp = group({
  id: z.string(idDemand).regex(/^[a-z0-9][a-z0-9-]{0,63}$/, idDemand),
  name: text(),
  publisher: text().optional(),
  homePage: clientUriField,
  kind: appKindField.optional(),
} satisfies Shape<DescribedApp>);

const known = (otherwise: string): z.ZodType<KnownAppId> =>
  z.custom<KnownAppId>((id) => typeof id === 'string' && isKnownAppId(id), otherwise);

export const knownAppId = known(idOfKnown).optional();

/** What a row names as its app: one of `knownApps` by its id, or one of the host's own. */
export const appField: z.ZodType<KnownAppId | DescribedApp | undefined> = z
  .union([ownApp, known(demand)], demand)
  .optional()
  .meta({ type: 'id or `DescribedApp`' });

export const appSchema = z.object({
  id: z.string(),
  name: z.string(),
  publisher: z.string().nullish(),
  homePage: z.string().nullish(),
  kind: z.enum(appKinds).nullish(),
});
