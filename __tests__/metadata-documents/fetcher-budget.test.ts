import { describe, expect, test } from '@jest/globals';
import { fetcherHarness, send, url } from './fetcher-harness.ts';

const { server, fetcherOf } = fetcherHarness();

describe('concurrent fetches and the budget', () => {
  test('concurrent calls for one document share a request, later calls do not', async () => {
    const fetcher = fetcherOf({ limits: { perHost: 2 } });
    const before = server().requests.length;
    const results = await Promise.all(Array.from({ length: 50 }, () => fetcher.fetch(url)));
    expect(new Set(results).size).toBe(1);
    expect(server().requests).toHaveLength(before + 1);
    await fetcher.fetch(url);
    expect(server().requests).toHaveLength(before + 2);
  });

  test('a failure is shared by concurrent calls but not cached', async () => {
    const fetcher = fetcherOf();
    server().respond((_request, response) => send(response, '{}', {}, 500));
    const outcomes = await Promise.allSettled([fetcher.fetch(url), fetcher.fetch(url)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    server().respond((_request, response) => send(response, '{}'));
    await expect(fetcher.fetch(url)).resolves.toMatchObject({ document: {} });
  });

  test('perHost limits the fetches of one host: slow_down', async () => {
    const fetcher = fetcherOf({ limits: { perHost: 2 } });
    await fetcher.fetch('https://docs.example/1');
    await fetcher.fetch('https://docs.example/2');
    const before = server().requests.length;
    await expect(fetcher.fetch('https://docs.example/3')).rejects.toMatchObject({
      error: 'slow_down',
      status: 429,
      headers: { 'Retry-After': expect.stringMatching(/^[1-9]\d?$/) },
    });
    expect(server().requests).toHaveLength(before);
    await expect(fetcher.fetch('https://apps.example/3')).resolves.toBeDefined();
  });
});
