import * as z from 'zod';
import type { DeclaredBoundary } from '../core/boundaries/boundary.ts';
import { checkHonours, honoursField } from '../core/boundaries/honours-field.ts';
import { clientIdField, publicKeysField } from '../core/clients/client-fields.ts';
import type { StaticClient } from '../core/clients/client.ts';
import type { ResourceServer } from '../core/clients/resource-server.ts';
import { checkEach } from '../kernel/check-each.ts';
import { group, list, refuse, repeated, type Shape, text } from '../kernel/option-schemas.ts';
import { optionError } from '../kernel/validate.ts';

/** @internal */
export const resourceServersSchema: z.ZodType<readonly ResourceServer[]> = list(
  group({
    clientId: clientIdField,
    clientSecret: text().optional(),
    publicKeys: publicKeysField,
    honours: honoursField.optional(),
    sites: list(text('be the id of a school'), 'be an array of ids of schools').optional(),
  } satisfies Shape<ResourceServer>).check((payload) => {
    const { clientSecret, publicKeys } = payload.value;
    if (clientSecret === undefined && publicKeys === undefined)
      refuse(payload, ['clientSecret'], 'be set, or publicKeys');
    if (clientSecret !== undefined && publicKeys !== undefined)
      refuse(payload, ['publicKeys'], 'not be set together with clientSecret');
  }),
  'be an array',
);

/** @throws TypeError for a type of boundary that does not exist, and for an id that a client or another resource server has */
export function checkResourceServers(
  resourceServers: readonly ResourceServer[],
  clients: readonly StaticClient[],
  boundaries: readonly DeclaredBoundary[],
): void {
  const ofClients = new Set(clients.map(({ clientId }) => clientId));
  checkEach(resourceServers, ({ clientId, honours }, i) => {
    checkHonours(boundaries, honours, `resourceServers[${i}].honours`);
    if (ofClients.has(clientId))
      throw optionError(
        `resourceServers[${i}].clientId`,
        `be unique; ${JSON.stringify(clientId)} is the id of a client, so choose another one`,
      );
  });
  const twice = repeated(resourceServers.map(({ clientId }, i) => [`resourceServers[${i}].clientId`, clientId]));
  if (twice) throw optionError(...twice);
}
