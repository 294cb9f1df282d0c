import type { ExecutionResult } from 'graphql';
import type { MemberApiOptions } from '../../lib/member/index.ts';
import { memberApiSchema } from '../../lib/member/options.ts';
import { readOptions } from '../../lib/kernel/validate.ts';
import type { OperationLimits } from '../../lib/member/limits/rules.ts';
import { executableSchema } from '../../lib/member/schema/executable-schema.ts';
import { guardedFields } from '../../lib/member/scopes/guarded-fields.ts';
import { standardScopes } from '../helpers/scopes.ts';
import { harbourSite } from '../helpers/sites.ts';
import { createOperations } from '../../lib/member/preparation/operations.ts';
import { createPipeline } from '../../lib/member/preparation/pipeline.ts';
import { personToken } from '../../lib/core/bearer/verified-token.ts';
import { guardResolvers } from '../../lib/member/scopes/guard-resolvers.ts';
import { Deadline } from '../../lib/member/request/deadline.ts';
import { ServerResponse, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** Runs operations without HTTP. */
export type Run = (
  query: string,
  variables: Readonly<Record<string, unknown>>,
  scopes: readonly string[],
) => Promise<ExecutionResult>;

/** A pipeline over a schema of a host; every fault is an error of the test. */
export function runner(options: MemberApiOptions = {}, limits: Partial<OperationLimits> = {}): Run {
  const api = readOptions(memberApiSchema, options, 'memberApi');
  const onFault = (message: string, cause: unknown): never => {
    throw new Error(message, { cause });
  };
  const { schema } = executableSchema(api);
  const scopesOf = guardedFields(schema, standardScopes);
  guardResolvers(schema, scopesOf);
  const { introspection } = api;
  const operations = createOperations({ schema, scopesOf, limits: { ...api.limits, ...limits }, introspection });
  const pipeline = createPipeline({ operations, introspection, onFault });
  const viewer = { id: 'sam', name: 'Sam Student', email: 'sam@example.com', roles: ['student'] };
  const site = harbourSite();
  return async (query, variables, scopes) => {
    const verified = { site, member: viewer, clientId: 'app', audience: 'member', scopes, expiresAt: 0 } as const;
    const token = personToken(verified, []);
    const deadline = new Deadline(new ServerResponse(new IncomingMessage(new Socket())), 10, onFault);
    const sees = { seesEmail: async () => true, signal: deadline.signal };
    const context = { viewer, site, token, ...sees, data: api.data ?? {}, deadline, onFault };
    try {
      return await pipeline({ query, variables, operationName: undefined }, context);
    } finally {
      deadline.settle();
    }
  };
}
