import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { sourcesOf, withoutComments } from './sources.ts';

/** What schools share: the row of __tests__/THREATS.md that has the sharing rule, for each source with a queue, a pool or turns. */
const shared: Readonly<Record<string, string>> = {
  'adapters/redis/options.ts': 'calls that wait for a store',
  'adapters/postgres/options.ts': 'calls that wait for a store',
  'adapters/shared/database-server.ts': 'calls that wait for a store',
  'lib/core/limits/request-limiters.ts': 'counters of a process',
  'lib/core/outbound/budget.ts': 'fetches in a minute',
  'lib/core/outbound/fetcher.ts': 'fetches in a minute',
  'lib/core/outbound/key-sets.ts': 'a fetch that is under way',
  'lib/core/outbound/resolver.ts': 'look-ups of hosts',
  'lib/features/log/stored/writer.ts': 'events that wait for the log',
  'lib/features/logout/domain/deliveries.ts': 'logout tokens',
  'lib/features/logout/domain/notices.ts': 'counters of a process',
  'lib/features/metadata-documents/domain/document-client-finder.ts': 'a fetch that is under way',
  'lib/features/metadata-documents/domain/document-refresher.ts': 'a fetch that is under way',
  'lib/features/private-key-jwt/assertion-limiter.ts': 'counters of a process',
  'lib/features/private-key-jwt/proof.ts': 'assertions that are verified',
  'lib/hooks/hook-caller.ts': 'calls of hooks',
  'lib/observe/audit-log.ts': 'lines of the audit log',
  'lib/observe/events.ts': 'counters of a process',
  'lib/observe/hourly-faults.ts': 'counters of a process',
};

/** What only looks like a queue, and why schools do not share it. */
const own: Readonly<Record<string, string>> = {
  'lib/engine/engine-request.ts': 'look-ups of one request',
  'lib/features/your-apps/pages/routes.ts': 'requests on the page of one person',
  'lib/features/apps/domain/waiting-clients.ts': 'what one school has to review',
  'lib/kernel/in-parts.ts': 'a list of one request, in parts',
  'lib/kernel/timeout.ts': 'calls of one request',
  'lib/kernel/turns.ts': 'made by those who share',
  'lib/member/plugins/envelop-functions.ts': 'marks of operations, without a limit',
  'lib/member/plugins/server.ts': 'a function by that name',
  'lib/member/plugins/synchronous-hooks.ts': 'a function by that name',
};

/** How a queue, a pool or turns look in a source. */
const signs = [
  /\.shift\(\)/,
  /new (?:Turns|SharedRoom|WindowCounters|\w*Queue|\w*Pool|\w*Semaphore)\(/,
  /(?:const|let|readonly|#)\s*#?\w*(?:waiting|running|pending|queue|backlog|lookups|inFlight|jobs|slots)\w*[^;\n]*=\s*(?:new \w|\[\]|0\b)/i,
  /\bmax(?:Running|Waiting|Pending|Lookups|Queued?|Concurren\w*)\b|AtOnce\b/,
  /\.push\((?:resolve|begin|next|done|start|release)\b/,
];

function hasQueue(text: string): boolean {
  const code = withoutComments(text);
  return signs.some((sign) => sign.test(code));
}

test.each([
  'const waiting: (() => void)[] = [];',
  '  #running = 0;',
  '  readonly #inFlight = new Set<Promise<void>>();',
  'const next = list.shift();',
  'const turns = new Turns({ atOnce: 8 });',
  'const maxConcurrent = 10;',
  'await new Promise((resolve) => list.push(resolve));',
])('%s looks like a queue', (text) => {
  expect(hasQueue(text)).toBe(true);
});

test('every queue, pool and turn has a sharing rule', () => {
  const found = sourcesOf('lib', 'adapters', 'policies').filter(({ text }) => hasQueue(text));
  expect(found.map(({ path }) => path)).toEqual(Object.keys({ ...shared, ...own }).sort());
});

test('__tests__/THREATS.md has the sharing rules', () => {
  const text = readFileSync(join(import.meta.dirname, '../../__tests__/THREATS.md'), 'utf8');
  const [, section = ''] = text.split('## What schools share');
  const rows = section.split('\n## ')[0]?.match(/^\| (?!-|shared).*$/gm) ?? [];
  const names = rows.map((row) => row.split('|')[1]?.trim() ?? '');
  expect(names.toSorted()).toEqual([...new Set(Object.values(shared))].toSorted());
});
