import { afterEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import { type CampusOptions, type PageView, createCampus } from '../../lib/index.ts';
import { english } from '../../lib/i18n/english.ts';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools | undefined;
const environment = process.env['NODE_ENV'];
afterEach(async () => {
  process.env['NODE_ENV'] = environment;
  await schools?.close();
  schools = undefined;
});

async function start(pages: object = {}, more: object = {}): Promise<Schools> {
  schools = await startSchools({ ...plugins, campus: { pages: { gallery: '/gallery', ...pages }, ...more } });
  return schools;
}

async function names({ harbour }: Schools): Promise<string[]> {
  const text = await (await fetch(`${harbour}/gallery`)).text();
  return [...text.matchAll(/<a href="\/gallery\/([\w-]+)"/g)].map(([, name = '']) => name);
}

test('probe', async () => {
  const started = await start();
  for (const name of await names(started)) {
    const response = await fetch(`${started.harbour}/gallery/${name}`);
    const text = await response.text();
    console.log(name, response.status, /<h1>(.*?)<\/h1>/s.exec(text)?.[1]?.replaceAll(/<[^>]+>/g, ''));
  }
  console.log(started.faults);
});
