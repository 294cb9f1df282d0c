import type { Feature } from '../feature.ts';
import { logExamples } from './examples.ts';
import { logMethods } from './methods.ts';
import { isStored, logOption } from './option.ts';
import { ownLog } from './own-log.ts';

/** A log of what apps and people did: `docs/guides/log.md`. */
export const log: Feature = {
  option: 'log',
  options: logOption,
  log({ log: given, store }, { onFault }) {
    if (!given) return undefined;
    if (!isStored(given)) return { list: ownLog(given, onFault) };
    const stored = given.open({ store, onFault });
    return {
      add: (event) => stored.add(event),
      list: (site, question) => stored.list(site.id, question),
      stored,
      close: () => stored.close(),
    };
  },
  methods: logMethods,
  examples: logExamples,
};
