import { alternatives, type Offered } from '../protocol/offered.ts';
import type { ErrorCode } from './error-codes.ts';

/** Whether a service that offers this can return it. */
export function isOffered({ feature }: ErrorCode, { grantTypes }: Offered): boolean {
  return feature === undefined || grantTypes.some((row) => row.feature === feature);
}

/** The rows for a service that offers more than what is always on. */
export function wordedFor<E extends ErrorCode>(
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
    const when = hasGrant('client_credentials')
      ? `${code.when}, or the school does not permit this service`
      : code.when;
    return {
      ...code,
      when,
      headerWhen: hasMethod('client_secret_basic') ? 'in response to HTTP Basic' : code.headerWhen,
    };
  });
}
