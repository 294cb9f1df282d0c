import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { paths } from '../../lib/http/paths.ts';
import { authorizeUrl, pkce, webMemberApp } from '../helpers/flow.ts';
import { rawRequest } from '../helpers/raw-http.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

/** Has a school at every origin that is asked for. */
let schools: Schools;
const moved = 'http://moved.example';
let movedFrom: string[] = [];
beforeAll(async () => {
  schools = await startSchools({
    platform: {
      findSite: (origin) => ({
        id: 'two',
        name: 'Two',
        origin,
        connectionsEnabled: true,
        ...(origin === moved && { formerOrigins: movedFrom }),
      }),
    },
  });
});
afterAll(() => schools.close());

function get(host: string, target: string = paths.openidConfiguration): Promise<string> {
  const lines = [`GET ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close'];
  return rawRequest(Number(new URL(schools.harbour).port), lines);
}

async function failing(origin: string): Promise<string | undefined> {
  const findings = await schools.campus.diagnose({ origins: [origin] });
  return findings.find(({ id }) => id === 'school-failing')?.text;
}

describe.each(['north_hill.example', '_north.hill.example', 'hill_.example', '127.0.0.1:8080', '[::1]', 'localhost'])(
  'the host %s',
  (host) => {
    test('is served', async () => {
      const response = await get(host);
      expect(response).toMatch(/^HTTP\/1\.1 200 /);
      expect(response).toContain(`"issuer":"http://${host}"`);
    });

    test('asks the person to sign in', async () => {
      const { pathname, search } = authorizeUrl(`http://${host}`, webMemberApp, pkce());
      const response = await get(host, `${pathname}${search}`);
      expect(response).toMatch(/^HTTP\/1\.1 303 /);
      expect(response).toContain(`\r\nLocation: ${paths.interaction}/`);
    });

    test('is found without a fault', async () => {
      expect(await failing(`http://${host}`)).toBeUndefined();
    });
  },
);

describe.each([
  'harbour.example.',
  'harbour~hill.example',
  'harbour!.example',
  "o'hara.example",
  'a+b.example',
  'a,b.example',
  '-harbour.example',
  `${'a'.repeat(300)}.example`,
])('the host %s', (host) => {
  test('is not served', async () => {
    expect(await get(host)).toMatch(/^HTTP\/1\.1 404 /);
  });

  test('is a fault as the origin of a school', async () => {
    expect(await failing(`http://${host}`)).toContain(
      'it must be an origin such as "https://harbour.example", with a host of a-z',
    );
  });

  test('is a fault among former origins', async () => {
    movedFrom = [`http://${host}`];
    expect(await failing(moved)).toContain('it must be an array of at most 10 origins');
  });
});

test.each(['http://Hill.example', 'http://hügel.example', 'http://hill.example/', 'http://hill.example:80', '-hill'])(
  'the former origin %s is a fault that says how it is written',
  async (origin) => {
    movedFrom = [origin];
    expect(await failing(moved)).toMatch(
      /with a host of a-z, 0-9 and "_", and "\." or "-" inside it \(other letters as "xn--"\)/,
    );
  },
);
