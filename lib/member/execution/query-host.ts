import { GraphQLError } from 'graphql';
import type { CallOptions } from '../../contracts/member-data.ts';
import type { Member, Site } from '../../contracts/platform.ts';
import type { HostMemberData } from '../host-data.ts';
import type { CallContext } from './context.ts';

/** The question to the host: its data, about whom, where, and under which circumstances. */
export type Question<R> = (data: HostMemberData, viewer: Member, site: Site, call: CallOptions) => Promise<R>;

/**
 * Puts a question to the host, within the time of the request.
 *
 * @throws GraphQLError `NOT_SERVED` where the platform has no `memberData`
 * @throws TemporarilyUnavailable when the host fails, or is too slow
 * @throws InvalidRequest when the host refuses what the caller sent
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
