import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connect, webMemberApp } from '../helpers/flow.ts';
import type { AccessPolicy, Question, Scope } from '../../lib/index.ts';
import { loopbackClients } from '../../policies/index.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
const refused: unknown[] = [];
const asked: unknown[] = [];
beforeAll(async () => {
  schools = await startSchools({
    campus: {
      access: [
        (question) => {
          // What JavaScript lets a policy do, whatever the types say.
          for (const [object, name] of [
            [question, 'app'],
            [question.app, 'source'],
            [question.client, 'id'],
            [question.scopes, '0'],
          ] as const)
            refused.push(Reflect.set(object, name, 'loopback'));
          return undefined;
        },
        ({ app, client, scopes }) => void asked.push([app.source, client.id, scopes[0]]),
      ],
    },
  });
});
afterAll(() => schools.close());

test('a policy that keeps a question and its rule changes nothing at another school', async () => {
  const kept: Question[] = [];
  const rule: { scopes: Scope[] } = { scopes: ['openid'] };
  const isAsked = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<void>();
  const access: AccessPolicy[] = [
    (question) => {
      kept.push(question);
      for (const { app, client } of kept)
        refused.push(Reflect.set(app, 'verified', true), Reflect.set(client, 'id', 'x'));
      if (question.site.id === 'summit') rule.scopes.push('courses:read');
      return rule;
    },
    {
      at: ['connect', 'refresh'],
      decide: async ({ site }) => {
        if (site.id === 'summit') return undefined;
        isAsked.resolve();
        await mayAnswer.promise;
        return undefined;
      },
    },
  ];
  const both = await startSchools({ campus: { access, registration: [loopbackClients()] } });
  const question = { app: 'claude-code', scopes: ['openid', 'courses:read', 'courses:write'] };
  const harbour = both.campus.explain(both.harbour, question);
  await isAsked.promise;
  const summit = await both.campus.explain(both.summit, question);
  mayAnswer.resolve();
  expect([(await harbour).scopes, summit.scopes]).toEqual([['openid'], ['openid', 'courses:read']]);
  expect(new Set(refused)).toEqual(new Set([false]));
  expect(kept.map(({ site, app, client }) => [site.id, app.verified, client.id])).toEqual([
    ['harbour', false, undefined],
    ['summit', false, undefined],
  ]);
  await both.close();
});

test('a policy that changes its question changes nothing for the next one', async () => {
  await connect(schools.browser('sam'), schools.harbour, webMemberApp);
  expect(new Set(refused)).toEqual(new Set([false]));
  expect(asked).toContainEqual(['platform', webMemberApp.id, 'openid']);
  expect(JSON.stringify(asked)).not.toContain('loopback');
});
