import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { version } from '../../lib/kernel/version.ts';
import { type Schools, type SchoolsOptions, startSchools } from '../helpers/schools.ts';
import { everything, little } from './configurations.ts';

const documents = ['/.well-known/openid-configuration', '/openapi.json', '/auth.md'];

/** A digest of all, and of each part, so that a difference says where it is. */
function digests(text: string): Readonly<Record<string, string>> {
  const of = (part: unknown): string => hash('sha256', JSON.stringify(part), 'base64url').slice(0, 12);
  if (!text.startsWith('{')) {
    const sections = text.split(/^(?=## )/m);
    return { all: of(text), ...Object.fromEntries(sections.map((part) => [part.split('\n')[0], of(part)])) };
  }
  const { paths = {}, components = {}, ...rest } = JSON.parse(text);
  const parts = Object.entries({ ...paths, ...components.schemas, ...rest });
  return { all: of(text), ...Object.fromEntries(parts.map(([name, part]) => [name, of(part)])) };
}

/** What is stored was made before there were `grants`, `clientAuthentication` and `resourceServers`. `-u` writes what was changed on purpose. */
const bare = ({ campus, ...options }: SchoolsOptions): SchoolsOptions => ({
  ...options,
  campus: { ...campus, resourceServers: [] },
});

describe.each<[name: string, options: () => SchoolsOptions]>([
  ['everything else', everything],
  ['nothing else', () => little],
])('without grants and clientAuthentication, with %s', (_name, options) => {
  let schools: Schools;
  beforeAll(async () => {
    schools = await startSchools(bare(options()));
  });
  afterAll(() => schools.close());

  test.each(documents)('%s is byte for byte as it was', async (path) => {
    const served = await (await fetch(`${schools.harbour}${path}`)).text();
    const text = served.replaceAll(schools.harbour, 'https://harbour.example').replaceAll(version, 'x.y.z');
    expect(digests(text)).toMatchSnapshot();
  });
});
