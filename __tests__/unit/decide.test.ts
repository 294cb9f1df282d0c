import { expect, test } from '@jest/globals';
import { refused } from '../../lib/core/decisions/allowance.ts';
import { type DecisionInput, decide } from '../../lib/core/decisions/decide.ts';
import { standardScopes } from '../helpers/scopes.ts';

const requested = ['openid', 'courses:read', 'courses:write'];

const policies: DecisionInput['policies'] = async (scopes) => {
  const left = scopes.filter((scope) => standardScopes.row(scope)?.access !== 'write');
  return { scopes: left, denied: false, texts: [] };
};

/** A client on which nobody has decided, where a consent policy leaves reading alone unless the person approves. */
const input: DecisionInput = {
  catalogue: standardScopes,
  access: 'permitted',
  allowed: { mayGrant: () => true, countsWith: () => () => true, approvable: () => true },
  requested,
  vouched: false,
  policies,
  approving: async (scopes) => ({ scopes, denied: false, texts: [] }),
};

test('who decides for the school can approve what a policy leaves for that', async () => {
  expect(await decide(input)).toMatchObject({ outcome: 'view_only', beyond: ['courses:write'] });
});

test('who does not decide is offered nothing to approve', async () => {
  expect(await decide({ ...input, approving: undefined })).toMatchObject({ outcome: 'view_only', beyond: [] });
});

test('a refusal of the school comes before its policies, and a missing role before both', async () => {
  const failing = async (): Promise<never> => {
    throw new Error('a policy was asked');
  };
  const allowed = refused('client_blocked', { refusedBy: 'school' });
  expect(await decide({ ...input, allowed, policies: failing })).toMatchObject({
    outcome: 'blocked',
    refusal: 'client_blocked',
  });
  const impossible = await decide({ ...input, access: 'no-operator', allowed, policies: failing });
  expect(impossible).toMatchObject({ outcome: 'impossible', refusal: undefined, reasons: [{ code: 'no_operator' }] });
});
