import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connect, webMemberApp } from '../helpers/flow.ts';
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

test('a policy that changes its question changes nothing for the next one', async () => {
  await connect(schools.browser('sam'), schools.harbour, webMemberApp);
  expect(new Set(refused)).toEqual(new Set([false]));
  expect(asked).toContainEqual(['platform', webMemberApp.id, 'openid']);
  expect(JSON.stringify(asked)).not.toContain('loopback');
});
