import { expect, test } from '@jest/globals';
import { type DecisionInput, decide } from '../../lib/core/decisions/decide.ts';
import { scopeCatalogue } from '../../lib/index.ts';

const requested = ['openid', 'courses:read', 'courses:write'];
const row = (scope: string) => scopeCatalogue.find((each) => each.scope === scope);

/** A client on which nobody has decided, where a consent policy leaves reading alone unless the person approves. */
const input: DecisionInput = {
  catalogue: { row },
  access: 'permitted',
  allowed: { has: () => true, approvable: () => true },
  requested,
  purpose: 'ask',
  mayApprove: true,
  vouched: false,
  policies: async (scopes, purpose) => {
    const left = purpose === 'approve' ? scopes : scopes.filter((scope) => row(scope)?.access !== 'write');
    return { scopes: left, denied: false, texts: [] };
  },
};

test('who decides for the school can approve what a policy leaves for that', async () => {
  expect(await decide(input)).toMatchObject({ outcome: 'view_only', beyond: ['courses:write'] });
});

test('who does not decide is offered nothing to approve, and no policy is asked about it', async () => {
  const purposes: string[] = [];
  const policies: DecisionInput['policies'] = async (scopes, purpose) => {
    purposes.push(purpose);
    return input.policies(scopes, purpose);
  };
  expect(await decide({ ...input, mayApprove: false, policies })).toMatchObject({ outcome: 'view_only', beyond: [] });
  expect(purposes).toEqual(['ask']);
});

test('a refusal of the school comes before its policies, and a missing role before both', async () => {
  const policies = async (): Promise<never> => {
    throw new Error('a policy was asked');
  };
  const allowed = { has: () => false, approvable: () => false, refusal: 'client_blocked', from: 'school' } as const;
  expect(await decide({ ...input, allowed, policies })).toMatchObject({
    outcome: 'blocked',
    refusal: 'client_blocked',
  });
  const impossible = await decide({ ...input, access: 'no-operator', allowed, policies });
  expect(impossible).toMatchObject({ outcome: 'impossible', refusal: undefined, reasons: [{ code: 'no_operator' }] });
});
