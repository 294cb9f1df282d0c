import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What docs/reference/metrics.md lists under a heading: each name, with its attributes. */
export function documented(title: 'Spans' | 'Metrics'): ReadonlyMap<string, readonly string[]> {
  const text = readFileSync(join(import.meta.dirname, '../../docs/reference/metrics.md'), 'utf8');
  const [, section = ''] = text.split(`\n## ${title}\n`);
  const [, ...entries] = (section.split('\n## ')[0] ?? '').split('\n### ');
  return new Map(
    entries.map((entry) => {
      const [[, name = ''] = []] = [...entry.matchAll(/^`([^`]+)`$/gm)];
      const [, attributes = ''] = entry.split('Attributes: ');
      return [name, [...attributes.matchAll(/`([^`]+)`/g)].map(([, each = '']) => each)];
    }),
  );
}
