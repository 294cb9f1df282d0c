import { describe, expect, test } from '@jest/globals';
import { fetcherHarness, send, url } from './fetcher-harness.ts';

const { server, fetcherOf } = fetcherHarness();

describe('concurrency and budget', () => {
  test('concurrent calls for one document share a request, later ones do not', async () => {
    const fetcher = fetcherOf({ limits: { perHost: 2 } });
    const asked = server().asked.length;
    const answers = await Promise.all(Array.from({ length: 50 }, () => fetcher.fetch(url)));
    expect(new Set(answers).size).toBe(1);
    expect(server().asked).toHaveLength(asked + 1);
    await fetcher.fetch(url);
    expect(server().asked).toHaveLength(asked + 2);
  });

  test('a failure is shared but not kept', async () => {
    const fetcher = fetcherOf();
    server().answer((_request, response) => send(response, '{}', {}, 500));
    const results = await Promise.allSettled([fetcher.fetch(url), fetcher.fetch(url)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    server().answer((_request, response) => send(response, '{}'));
    await expect(fetcher.fetch(url)).resolves.toMatchObject({ document: {} });
  });

  test('one host has a budget', async () => {
    const fetcher = fetcherOf({ limits: { perHost: 2 } });
    await fetcher.fetch('https://docs.example/1');
    await fetcher.fetch('https://docs.example/2');
    const asked = server().asked.length;
    await expect(fetcher.fetch('https://docs.example/3')).rejects.toMatchObject({
      error: 'slow_down',
      status: 429,
      headers: { 'Retry-After': expect.stringMatching(/^[1-9]\d?$/) },
    });
    expect(server().asked).toHaveLength(asked);
    await expect(fetcher.fetch('https://apps.example/3')).resolves.toBeDefined();
  });
});
