import { errorCode, type ErrorName } from '../error-codes.ts';
import { possibleErrors } from '../possible-errors.ts';
import type { ErrorReference, ResponseVariant } from '../operation.ts';
import { jsonBody } from '../schema-parts.ts';
import type { ServiceDescription } from '../service-description.ts';
import type { RouteKind } from '../../http/route.ts';

/** The errors of a body that is a form, or JSON of at most as many bytes. */
export const bodyErrors: readonly ErrorReference[] = ['invalid_request', ['invalid_request', 413]];

/** What is wrong with a client that a feature looks up. */
export function lookupErrors({ features }: ServiceDescription): ErrorName[] {
  return features.flatMap(({ clients }) => clients?.lookupErrors ?? []);
}

/** The errors of a form with which a client authenticates. */
export function clientErrors(service: ServiceDescription): readonly ErrorReference[] {
  return [...bodyErrors, 'invalid_client', ...lookupErrors(service)];
}

/** Errors of a page are for a browser, and JSON if the client accepts JSON or the school is unknown. */
export function errorContent(kind: RouteKind): Readonly<Record<string, object>> {
  return { ...(kind === 'page' && { 'text/html': { type: 'string' } }), ...jsonBody('Error') };
}

/** The responses for these errors, without those that the service cannot return. */
export function errorResponses(
  service: ServiceDescription,
  references: readonly ErrorReference[],
  content: Readonly<Record<string, object>>,
): ResponseVariant[] {
  const codes = references.map((one) => {
    if (typeof one === 'string') return errorCode(one);
    return 'error' in one ? one : errorCode(...one);
  });
  return possibleErrors(codes, service).map((code) => ({ ...code, text: `\`${code.error}\`: ${code.when}.`, content }));
}
