import { alternatives, type Offered } from '../protocol/offered.ts';
import type { ErrorCode } from './error-codes.ts';
import type { ServiceDescription } from './service-description.ts';

/** Whether a service that offers this can return it. */
export function isOffered({ feature }: ErrorCode, { grantTypes }: Offered): boolean {
  return feature === undefined || grantTypes.some((row) => row.feature === feature);
}

export function possibleErrors<E extends ErrorCode>(
  codes: readonly E[],
  { registration, documents, offered, limits, mcp }: ServiceDescription,
): readonly E[] {
  const registers = registration.length > 0;
  return wordedFor(offered, codes).filter((code) => {
    const { error, status } = code;
    if (code.feature !== undefined) return isOffered(code, offered);
    if (error === 'invalid_redirect_uri') return registers;
    if (error === 'invalid_client_metadata') return registers || documents !== undefined;
    if (error === 'slow_down') return limits !== false;
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
  const isLonger = grantTypes.some(({ feature }) => feature !== undefined);
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
