import { alternatives, type Offered } from '../core/offered/offered.ts';
import { type ErrorCode, errorCodes } from './error-codes.ts';
import type { ServiceDescription } from './service-description.ts';

/** The core's errors, and those of the features that are on. */
export function allErrors({ features }: Pick<ServiceDescription, 'features'>): readonly ErrorCode[] {
  return [...errorCodes, ...features.flatMap(({ errors = [] }) => errors)];
}

export function possibleErrors<E extends ErrorCode>(
  codes: readonly E[],
  { registration, documents, offered, limits, mcp }: ServiceDescription,
): readonly E[] {
  const registers = registration.length > 0;
  return wordedFor(offered, codes).filter((code) => {
    const { error, status } = code;
    if (error === 'invalid_redirect_uri') return registers;
    if (error === 'invalid_client_metadata') return registers || documents !== undefined;
    if (error === 'slow_down' && status === 429) return limits !== false;
    // Only the tool endpoint checks the origin of a script.
    return mcp !== undefined || error !== 'access_denied' || status !== 403;
  });
}

/** The rows for a service that offers more than what is always on. */
function wordedFor<E extends ErrorCode>(
  { grantTypes, hasGrant, hasMethod }: Offered,
  codes: readonly E[],
): readonly E[] {
  const names = grantTypes.map(({ name }) => `\`${name}\``);
  const isLonger = grantTypes.some(({ option }) => option !== undefined);
  return codes.map((code) => {
    if (code.error === 'unsupported_grant_type' && isLonger) {
      return { ...code, when: `\`grant_type\` is not ${alternatives(names)}`, remedy: 'Use one of these grant types.' };
    }
    if (code.error !== 'invalid_client') return code;
    const more = hasGrant('client_credentials') ? ', or the school does not permit this service' : '';
    const headerWhen = hasMethod('client_secret_basic') ? 'in response to HTTP Basic' : code.headerWhen;
    return { ...code, when: `${code.when}${more}`, headerWhen };
  });
}
