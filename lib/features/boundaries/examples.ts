import type { Boundary, BoundaryItem } from '../../core/boundaries/boundary.ts';
import type { Scope } from '../../core/scopes/scopes.ts';
import type { ShownBoundary } from '../../core/boundaries/limit-choices.ts';
import { connectionIds } from '../../pages/example-ids.ts';
import { clients, type ScopeCounts } from '../../pages/example-clients.ts';
import { type ConsentExample, examplePaths, type FeatureExamples, type Scene } from '../feature-examples.ts';

const items = ['7a', '7b', '7c', '8a'].map((id) => ({ id, name: `Class ${id}`, detail: '24 students' }));

const shown: ShownBoundary = {
  type: 'class',
  name: 'Classes',
  names: { 'zh-Hant': '班級' },
  items,
  total: items.length,
  offset: 0,
  search: '',
  limited: true,
  chosen: new Set(['7b']),
  elsewhere: [],
  gone: [],
  demanded: false,
  scopes: [],
};

const many: ShownBoundary = {
  ...shown,
  total: 120,
  search: 'Class',
  chosen: new Set(['7b', '12c']),
  elsewhere: [{ id: '12c', name: 'Class 12c' }],
  gone: ['6d'],
  demanded: true,
};

/** A choice of classes for what a program on this computer asks of an operator. */
function ofProgram(clientName: string, asks: ScopeCounts, names: readonly string[]): ConsentExample {
  const classes = names.map((name, i) => ({ id: `c${i}`, name }));
  return {
    client: { ...clients.registered, clientName },
    asks,
    more: (scopes) => ({
      limits: [{ ...shown, items: classes, total: classes.length, chosen: new Set(['c0', 'c1']), scopes }],
    }),
  };
}

const app = { route: `${examplePaths.yourApps}/:id`, as: 'member' } as const;

/** A choice of classes, for some of the scopes that members can give. */
function choiceOf(
  all: readonly BoundaryItem[],
  limited: (scopes: readonly Scope[]) => readonly Scope[],
): Scene['settings'] {
  const list: Boundary['list'] = (_site, _member, { search = '', ids, offset, limit }) => {
    const found = all.filter(({ id, name }) => (ids ? ids.includes(id) : name.includes(search)));
    return { items: found.slice(offset, offset + limit), total: found.length };
  };
  const classes = { type: 'class', name: 'Classes', names: { 'zh-Hant': '班級' }, list };
  return (scopes) => ({ boundaries: [{ ...classes, scopes: limited(scopes) }] });
}

const all = (scopes: readonly Scope[]): readonly Scope[] => scopes;

const manyItems = Array.from({ length: 116 }, (_, i) => ({
  id: `${i + 9}a`,
  name: `Class ${i + 9}a`,
  detail: '24 students',
}));

const limited = { ...app, id: connectionIds.board, settings: choiceOf(items, all), only: { class: ['7b'] } } as const;

/** Its states of the consent page, and of the page of a connected app, in the gallery. */
export const boundariesExamples: FeatureExamples = {
  settings: { boundaries: [] },
  consents: {
    limits: { more: (scopes) => ({ limits: [{ ...shown, scopes }] }) },
    'limits-program': ofProgram('Claude Code', { identity: 3, read: 2, write: 1 }, [
      'Class 7b',
      'Class 7c',
      'Sailing, evenings',
    ]),
    'limits-long-name': ofProgram('The Harbour Harvest Herald '.repeat(3), { identity: 3, read: 3, write: 2 }, [
      'Class 7b',
      'Class 7c',
    ]),
    'limits-search': { more: () => ({ limits: [many] }) },
    'limits-nothing': {
      more: () => ({
        limits: [
          {
            ...shown,
            items: [],
            total: 0,
            search: 'Choir',
            chosen: new Set(),
            problem: 'limits.problem.none',
          },
        ],
        limitProblem: { type: 'class', problem: 'limits.problem.none' },
      }),
    },
  },
  visits: {
    'connected-app-limits': limited,
    'connected-app-limits-saved': { ...limited, query: 'limited=1&proof=1' },
    'connected-app-limits-removed': { ...limited, only: { team: ['a'] } },
    'connected-app-limits-nothing': {
      ...limited,
      settings: choiceOf([...items, ...manyItems], all),
      form: { csrf: '1', action: 'limit', select: 'save', 'limit.class': 'some', 'find.class': 'Class' },
    },
    // A permission that it can get is given with a choice.
    'connected-app-limits-more': {
      ...app,
      id: connectionIds.timer,
      settings: choiceOf(items, (scopes) => scopes.slice(-1)),
    },
  },
};
