import type { ShownBoundary } from '../../core/boundaries/limit-choices.ts';
import { examplePaths, type FeatureExamples } from '../../pages/examples/example.ts';

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

const app = { route: `${examplePaths.connectedApps}/:id`, id: 'board', as: 'member' } as const;

/** Its states of the consent page, and of the page of a connected app, in the gallery. */
export const boundariesExamples: FeatureExamples = {
  consents: {
    limits: { more: () => ({ limits: [shown] }) },
    'limits-search': { more: () => ({ limits: [many] }) },
    'limits-nothing': {
      more: () => ({
        limits: [{ ...shown, items: [], total: 0, search: 'Choir', chosen: new Set() }],
        problem: 'limits.problem.none',
      }),
    },
  },
  visits: {
    'connected-app-limits': { ...app, limits: [shown] },
    'connected-app-limits-saved': { ...app, limits: [shown], query: 'limited=1&proof=1' },
    'connected-app-limits-nothing': {
      ...app,
      limits: [{ ...many, chosen: new Set(), elsewhere: [], demanded: false }],
      form: { csrf: '1', action: 'limit', select: 'save' },
    },
    // A permission that it can get is given with a choice.
    'connected-app-limits-more': { ...app, id: 'timer', limits: [{ ...shown, chosen: new Set() }] },
  },
};
