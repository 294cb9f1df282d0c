import { GraphQLError } from 'graphql';
import type { CallOptions } from '../../contracts/member-data.ts';
import type { Member, Site } from '../../contracts/platform.ts';
import type { HostMemberData } from '../host-data.ts';
import type { CallContext } from './context.ts';

export type Question<R> = (data: HostMemberData, viewer: Member, site: Site, call: CallOptions) => Promise<R>;

/**
 * Calls the platform's `memberData` within the deadline of the request.
 *
 * @throws GraphQLError `NOT_SERVED` if the platform has no `memberData`
 * @throws TemporarilyUnavailable if the platform fails or the deadline passes
 * @throws InvalidRequest if the platform rejects an argument
 */
export function ask<R>(
  { data, deadline, viewer, site, signal }: CallContext,
  method: keyof HostMemberData,
  question: Question<R>,
): Promise<R> {
  if (!data) {
    throw new GraphQLError(`this platform does not serve ${method}`, { extensions: { code: 'NOT_SERVED' } });
  }
  return deadline.within(`memberApi.data.${method}`, question(data, viewer, site, { signal }));
}
