import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { introspect, refresh } from '../../helpers/flow.ts';
import { cases } from '../../helpers/properties.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { siteOf } from '../../helpers/sites.ts';
import { callTool } from '../../mcp/rpc.ts';
import { Asking, Classes, knowing, limited, tools, unaware, withClasses } from './limited-schools.ts';

let schools: Schools;
let live: unknown;
const classes = new Classes();
beforeAll(async () => {
  schools = await startSchools({ campus: { ...withClasses(classes), limits: false }, mcp: { tools } });
  const asking = await new Asking(schools.browser('olivia'), schools.harbour).open();
  live = (await (await asking.limit(['c1'])).tokens()).body['refresh_token'];
});
afterAll(() => schools.close());

const some = fc.uniqueArray(fc.constantFrom('c1', 'c2', 'c3', 'c4'), { minLength: 1 });

test('whatever is chosen, what honours it sees that and no more, what does not sees nothing limited, and tokens of before end', async () => {
  const site = siteOf(schools, 'harbour');
  const [connection] = await schools.campus.connections.list(site, 'olivia');
  const tokenNow = async (): Promise<string> => {
    const { body } = await refresh(schools.harbour, limited, live);
    live = body['refresh_token'];
    return String(body['access_token']);
  };
  let chosen: readonly string[] | undefined = ['c1'];
  await fc.assert(
    fc.asyncProperty(fc.option(some, { nil: undefined }), some, async (next, left) => {
      const before = await tokenNow();
      classes.of['olivia'] = left;
      const wanted = next?.filter((id) => left.includes(id));
      const only = wanted ? { class: wanted } : {};
      const change = schools.campus.connections.limit(site, 'olivia', connection?.id ?? '', only);
      if (wanted?.length === 0) await expect(change).rejects.toThrow('must have 1 to 100 ids');
      else {
        await change;
        const isChanged = JSON.stringify(chosen) !== JSON.stringify(wanted && [...wanted].sort());
        chosen = wanted && [...wanted].sort();
        const { status } = await callTool(schools.harbour, 'list_courses', {}, { token: before });
        expect(status).toBe(isChanged ? 401 : 200);
      }
      const token = await tokenNow();
      const { body } = await callTool(schools.harbour, 'list_courses', {}, { token });
      expect(JSON.stringify(body)).toContain(JSON.stringify(JSON.stringify(chosen ?? 'all')).slice(1, -1));
      expect((await callTool(schools.harbour, 'statistics', {}, { token })).status).toBe(chosen ? 403 : 200);
      const [knows, doesNot] = await Promise.all(
        [knowing, unaware].map((client) => introspect(schools.harbour, client, token)),
      );
      expect(knows?.body['scope']).toContain('courses:read');
      expect(knows?.body['authorization_details']).toEqual(chosen && [{ type: 'class', identifiers: chosen }]);
      expect(String(doesNot?.body['scope']).includes('courses:read')).toBe(chosen === undefined);
    }),
    cases(12),
  );
});
