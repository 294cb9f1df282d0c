import { expect, test } from '@jest/globals';
import { readPage } from '../../helpers/page.ts';
import { siteOf } from '../../helpers/sites.ts';
import { clientId, documentSchools } from './document-schools.ts';
import { reviewsOf } from '../../helpers/reviews.ts';

// An administrator decides on an app before anybody has asked for it.

const { schools, start, publish, events, server } = documentSchools();
const apps = '/developers/apps';

async function enter(app: string) {
  const olivia = schools().browser('olivia');
  const list = readPage((await olivia.follow(schools().harbour + apps)).html);
  const link = list.getByRole('link', { name: 'Allow an app' });
  const { html } = await olivia.follow(schools().harbour + link.href);
  const [form] = readPage(html).getAllByRole('form');
  const body = new URLSearchParams(form?.fields);
  body.set('name', app);
  const to = schools().harbour + (form?.attribute('action') ?? '');
  return { olivia, ...(await olivia.follow(to, { method: 'POST', body })) };
}

test('a document is fetched and decided on as one version, and nobody reads that somebody asked', async () => {
  publish();
  await start();
  const { html, url, olivia } = await enter(` ${clientId} `);
  expect(url.searchParams.get('client')).toBe(clientId);
  const page = readPage(html);
  page.getByRole('heading', { level: 1, name: 'Doc Client' });
  const form = page.getAllByRole('form').find(({ fields }) => fields.get('action') === 'rule');
  const body = new URLSearchParams(form?.fields);
  body.set('access', 'allowed');
  await olivia.follow(url, { method: 'POST', body });
  expect(await reviewsOf(schools().campus).find(siteOf(schools()), clientId)).toMatchObject({
    status: 'approved',
    decidedBy: 'olivia',
  });
  expect(events.map(({ action }) => action)).not.toContain('document.seen');
});

test('a known app is found by name and ID; what is nothing is said beside the field, and stores nothing', async () => {
  publish();
  await start();
  for (const app of ['claude', 'Claude']) {
    const { url, html } = await enter(app);
    expect(url.searchParams.get('app')).toBe('claude');
    readPage(html).getByRole('heading', { level: 1, name: 'Claude' });
  }
  const before = server().requests.length;
  for (const app of ['', 'Chess Club', 'http://docs.example/client.json', 'https://other.example/client.json']) {
    const { html, response } = await enter(app);
    expect([app, response.status]).toEqual([app, 400]);
    const page = readPage(html);
    page.getByRole('alert');
    expect(page.getByRole('textbox', { name: 'App' }).value).toBe(app);
  }
  expect(server().requests).toHaveLength(before);
  expect(await reviewsOf(schools().campus).list(siteOf(schools()))).toHaveLength(0);
});
