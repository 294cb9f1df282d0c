import { beforeAll, describe, expect, test } from '@jest/globals';
import { features } from '../../lib/features/features.ts';
import { paths } from '../../lib/http/paths.ts';
import { type Description, describedOperations } from './description.ts';
import { eachFeature, switchable } from './each-feature.ts';
import { redoclyProblems, spectralProblems } from './linters.ts';
import { origin, type Published, publishedBy } from './published.ts';

const names = Object.keys(eachFeature);
const published = new Map<string, Published>();
const problems = new Map<string, readonly string[]>();
beforeAll(async () => {
  for (const [name, options] of Object.entries(eachFeature)) published.set(name, await publishedBy(options));
  const documents = names.map((name) => at(name).description);
  const [spectral, redocly] = await Promise.all([spectralProblems(documents), redoclyProblems(documents)]);
  for (const [i, name] of names.entries())
    problems.set(name, [...(spectral[i] ?? ['lost']), ...(redocly[i] ?? ['lost'])]);
});

function at(name: string): Published {
  const found = published.get(name);
  if (!found) throw new Error(name);
  return found;
}

test('every feature that can be switched on is here alone', () => {
  const keys = features.flatMap(
    ({ option, grantType, authentication }) => option ?? grantType?.name ?? authentication?.name ?? [],
  );
  expect(keys.filter((key) => !switchable.includes(key))).toEqual([]);
});

/** What browsers get: a script of the pages, and the landing page of Yoga. */
const forBrowsers: readonly string[] = [paths.pageScript, '/member'];

describe.each(names)('with %s', (name) => {
  test('/openapi.json has no error or warning of Spectral and Redocly', () => {
    expect(problems.get(name)).toEqual([]);
  });

  test('it describes every document and endpoint, with its methods, and no other path', () => {
    const { description, metadata, routes } = at(name);
    const addresses = metadata.flatMap(([, document]) => Object.values(document));
    // People open a page of their own accord, unless the metadata says that a client sends them there.
    const called = routes.filter(({ path, kind }) =>
      kind === 'page' ? addresses.includes(`${origin}${path}`) : !forBrowsers.includes(path),
    );
    const served = called.flatMap(({ path, methods }) => methods.map((method) => `${method} ${path}`));
    const described = describedOperations(description).map(({ path, method }) => `${method} ${path}`);
    expect(described.toSorted()).toEqual(served.toSorted());
  });

  test('every address in the metadata is described', () => {
    const { description, metadata } = at(name);
    const addresses = metadata
      .flatMap(([, document]) => Object.entries(document))
      .filter(([member]) => /(?:_endpoint|_uri|_documentation)$/.test(member))
      .map(([, address]) => String(address).replace(origin, ''));
    expect(addresses.length).toBeGreaterThan(6);
    expect(addresses.filter((path) => description.paths[path] === undefined)).toEqual([]);
  });

  test('the metadata has the members that its schema has', () => {
    const { description, metadata } = at(name);
    for (const [path, document] of metadata) {
      expect([path, Object.keys(document).toSorted()]).toEqual([path, membersAt(description, path).toSorted()]);
    }
  });

  test('every operation has a summary and a description, and every array has items', () => {
    const { description } = at(name);
    const bare = describedOperations(description).filter(
      ({ operation: { summary, description: text = '' } }) => summary === '' || text.trim() === '',
    );
    expect(bare.map(({ path, method }) => `${method} ${path}`)).toEqual([]);
    const arrays = schemasIn(description).filter(([, { type }]) => [type].flat().includes('array'));
    expect(arrays.length).toBeGreaterThan(5);
    expect(arrays.filter(([, { items }]) => typeof items !== 'object').map(([pointer]) => pointer)).toEqual([]);
  });

  test('it contains only URLs of this school', () => {
    const text = JSON.stringify(at(name).description);
    expect(text).not.toMatch(/localhost(?!:PORT)|127\.0\.0\.1:(?!8123|PORT)/);
    expect(text).toContain(origin);
  });
});

/** The members of the schema of a document. */
function membersAt({ paths: described, components }: Description, path: string): readonly string[] {
  const { schema } = described[path]?.['get']?.responses['200']?.content?.['application/json'] ?? {};
  const name = schema?.$ref?.replace('#/components/schemas/', '') ?? '';
  return Object.keys(components.schemas[name]?.properties ?? {});
}

/** Every object of a document that has a `type`, with its JSON pointer. */
function schemasIn(value: unknown, pointer = ''): [string, { readonly type: unknown; readonly items?: unknown }][] {
  if (typeof value !== 'object' || value === null) return [];
  const members: [string, unknown][] = Object.entries(value);
  const inside = members.flatMap(([name, member]) => schemasIn(member, `${pointer}/${name.replaceAll('/', '~1')}`));
  return 'type' in value ? [[pointer, value], ...inside] : inside;
}
