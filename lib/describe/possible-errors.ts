import { alternatives, type Enabled } from '../core/enabled/enabled.ts';
import { type ErrorCode, errorCodes } from './error-codes.ts';
import type { ServiceDescription } from './service-description.ts';

/** The first of the errors that have nothing to do with authorization and tokens. */
const firstOfRegistration = 'invalid_client_metadata';

/** The core's errors, and those of the features that are on: beside the other rows of their code, or before registration. */
export function allErrors({ features }: Pick<ServiceDescription, 'features'>): readonly ErrorCode[] {
  const added = features.flatMap(({ errors = [] }) => errors);
  const names = new Set(errorCodes.map(({ error }) => error));
  const isLast = new Map(errorCodes.map((row) => [row.error, row]));
  return errorCodes.flatMap((row) => [
    ...(row.error === firstOfRegistration ? added.filter(({ error }) => !names.has(error)) : []),
    row,
    ...(isLast.get(row.error) === row ? added.filter(({ error }) => error === row.error) : []),
  ]);
}

export function possibleErrors<E extends ErrorCode>(
  codes: readonly E[],
  { features, enabled, limits, mcp }: ServiceDescription,
): readonly E[] {
  const ofClients = features.flatMap(({ clients }): readonly string[] => clients?.errors ?? []);
  return codesFor(enabled, codes).filter((code) => {
    const { error, status } = code;
    if (code.isOfClients) return ofClients.includes(error);
    if (error === 'slow_down' && status === 429) return limits !== false;
    // Only the tool endpoint checks the origin of a script.
    return mcp !== undefined || error !== 'access_denied' || status !== 403;
  });
}

/** The rows for a service where more is enabled than what is always on. */
function codesFor<E extends ErrorCode>(
  { grantTypes, hasServices, hasMethod }: Enabled,
  codes: readonly E[],
): readonly E[] {
  const names = grantTypes.map(({ name }) => `\`${name}\``);
  const isLonger = grantTypes.some(({ option }) => option !== undefined);
  return codes.map((code) => {
    if (code.error === 'unsupported_grant_type' && isLonger) {
      return { ...code, when: `\`grant_type\` is not ${alternatives(names)}`, remedy: 'Use one of these grant types.' };
    }
    if (code.error !== 'invalid_client') return code;
    const more = hasServices ? ', or the school does not permit this service' : '';
    const headerWhen = hasMethod('client_secret_basic') ? 'in response to HTTP Basic' : code.headerWhen;
    return { ...code, when: `${code.when}${more}`, headerWhen };
  });
}
