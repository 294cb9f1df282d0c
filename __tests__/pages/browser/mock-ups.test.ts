import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { galleryInBrowser } from './gallery-in-browser.ts';

// Where the blocks of a page stand, beside those of the mock-up that it follows, and whether its buttons are whole in low windows.

const { gallery, browser } = galleryInBrowser();

let page: Page;
beforeAll(async () => {
  page = await (await browser().newContext()).newPage();
});
afterAll(() => page.context().close());

/** Opens an example of the gallery as the page itself: without the box that says it is one. */
async function open(name: string): Promise<void> {
  await page.goto(`${gallery().schools.harbour}/gallery/${name}`);
  await page.evaluate(`document.querySelector('.example').remove()`);
}

const widths = [1280, 390] as const;

/** In CSS pixels: as in the mock-up, and the least and most that its content can have here. */
type Box = readonly [left: number, width: number, height: readonly [least: number, most: number]];

/** A part of a page, with its box in each of `widths`. */
type Block = readonly [name: string, selector: string, wide: Box, narrow: Box];

interface MockUp {
  readonly name: string;
  /** The example of the gallery. */
  readonly example: string;
  /** From the top down; what has the top of the block before it stands beside it. */
  readonly blocks: readonly Block[];
}

/** In one column of 400 pixels, which a phone has as wide as itself. */
function whole(name: string, selector: string, wide: Box[2], narrow: Box[2] = wide): Block {
  return [name, selector, [440, 400, wide], [16, 358, narrow]];
}

/** In the console: beside the navigation, and on a phone above it. */
function inConsole(name: string, selector: string, wide: Box[2], narrow: Box[2] = wide): Block {
  return [name, selector, [336, 824, wide], [16, 358, narrow]];
}

const bar: Block = ['the bar', '.stay', [400, 480, [81, 81]], [0, 390, [73, 73]]];

const save: Block = ['Save', '.rail button.primary', [881, 279, [48, 48]], [16, 358, [48, 48]]];

/** The first is at the edge of the window. The other is in a block beside others, or above them on a phone. */
const apart: readonly Block[] = [bar, save];

const mockUps: readonly MockUp[] = [
  {
    name: 'consent-teacher',
    example: 'consent-limits-program',
    blocks: [
      whole('who is signed in', '.person', [45, 45]),
      whole('app and school', 'main > .app', [56, 56]),
      whole('the question', 'h1', [70, 70], [58, 58]),
      whole('until when', '.lead', [24, 24]),
      whole('the warning', '.notice.warn', [98, 98], [98, 122]),
      whole('which classes', '.limits', [184, 192]),
      whole('what it sees', '[aria-labelledby=view]', [136, 160]),
      whole('what it changes', '[aria-labelledby=change]', [104, 140]),
      whole('who the person is', '.sees', [56, 64]),
      bar,
    ],
  },
  {
    name: 'connected-app',
    example: 'connected-app-limits',
    blocks: [
      ['the way back', '.back', [440, 101, [44, 44]], [16, 101, [44, 44]]],
      whole('the app', 'main > .app', [56, 72]),
      whole('until when', 'main > .app + p', [24, 34], [24, 58]),
      whole('what it sees', '.decide > fieldset:nth-of-type(1)', [88, 136]),
      whole('which classes', '.limits', [184, 230]),
      whole('when it works', '.limits + .soft', [20, 39]),
      bar,
    ],
  },
  {
    name: 'your-apps',
    example: 'connected-apps',
    blocks: [
      whole('who is signed in', '.person', [45, 45]),
      whole('the tabs', '.tabs', [45, 45]),
      whole('the heading', 'h1', [35, 35], [29, 29]),
      whole('what is new', '.news', [230, 360], [282, 400]),
      whole('what is approved', '.news > .good', [111, 136], [120, 143]),
      whole('what is over', '.news > li:nth-child(2)', [87, 111], [111, 131]),
      whole('how many', 'main > h2', [28, 28]),
      ['the first app', '.lines .row', [428, 424, [60, 60]], [4, 382, [60, 66]]],
    ],
  },
  {
    name: 'console-requests',
    example: 'applications-asked',
    blocks: [
      inConsole('the heading', 'h1', [35, 35], [29, 29]),
      inConsole('open and decided', 'main .tabs', [45, 45]),
      inConsole('the app of one person', '.requests > li', [180, 300], [380, 540]),
      inConsole('the app of three', '.requests > li:nth-child(2)', [251, 410], [498, 800]),
      ['for whom', '.requests fieldset', [896, 264, [182, 270]], [16, 358, [182, 250]]],
      ['the answer', '.requests > li:nth-child(2) .actions', [896, 264, [48, 48]], [16, 358, [48, 104]]],
    ],
  },
  {
    name: 'console-confirm',
    example: 'connections-rule-roles',
    blocks: [
      ['the way back', '.back', [336, 115, [44, 44]], [16, 115, [44, 44]]],
      inConsole('the decision', 'h1', [35, 35], [29, 58]),
      inConsole('who loses and who keeps it', '.effects', [120, 120], [160, 216]),
      inConsole('who loses it', '.effects > li', [40, 40], [40, 64]),
      inConsole('the answers', 'main .actions', [104, 104]),
      inConsole('Turn off', 'button.danger', [48, 48]),
      inConsole('Cancel', '.actions a.button', [48, 48]),
    ],
  },
  {
    name: 'console-apps',
    example: 'connections',
    blocks: [
      inConsole('the heading', '.head', [48, 48]),
      inConsole('what waits', '.attention', [44, 96], [44, 148]),
      inConsole('the lists', 'main .tabs', [45, 45], [45, 89]),
      inConsole('the search', '.search', [48, 48], [104, 216]),
      inConsole('the apps', 'table', [300, 500], [300, 700]),
    ],
  },
  {
    name: 'console-app',
    example: 'connections-client',
    blocks: [
      ['the way back', '.back', [336, 62, [44, 44]], [16, 62, [44, 44]]],
      inConsole('the app', 'main > .app', [56, 56], [56, 87]),
      ['the decision', '.rail', [856, 304, [579, 700]], [16, 358, [604, 740]]],
      ['people and permissions', '.rail + .flow', [336, 480, [542, 2000]], [16, 358, [587, 2400]]],
      save,
    ],
  },
  {
    name: 'console-person',
    example: 'person',
    blocks: [
      ['the way back', '.back', [336, 76, [44, 44]], [16, 76, [44, 44]]],
      inConsole('the person', '.head', [56, 56], [116, 116]),
      inConsole('the apps', 'section', [160, 240], [180, 300]),
      ['the first app', '.lines .row', [324, 848, [64, 64]], [4, 382, [64, 79]]],
    ],
  },
  {
    name: 'console-activity',
    example: 'activity',
    blocks: [
      inConsole('the heading', '.head', [48, 48]),
      inConsole('the search', '.search', [48, 120], [104, 240]),
      inConsole('who connected what', 'section', [60, 150], [60, 246]),
      inConsole('the first app', '.events li', [36, 40], [36, 84]),
    ],
  },
  {
    name: 'new-sign-in',
    example: 'application-new-sign-in',
    blocks: [
      ['the way back', '.back', [336, 110, [44, 44]], [16, 110, [44, 44]]],
      inConsole('the heading', 'h1', [35, 35], [29, 58]),
      ['which app', '.tiles', [376, 784, [104, 200]], [56, 318, [200, 360]]],
      ['its address', '.steps form > .field:nth-of-type(1)', [376, 784, [90, 110]], [56, 318, [90, 130]]],
      ['its name', '.steps form > .field:nth-of-type(2)', [376, 784, [90, 110]], [56, 318, [90, 130]]],
      ['all else', '.steps details', [376, 784, [48, 80]], [56, 318, [48, 90]]],
      ['Create', 'button.primary', [376, 86, [48, 48]], [56, 318, [48, 48]]],
    ],
  },
];

interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

describe.each(mockUps)('the page of the mock-up $name', ({ example, blocks }) => {
  test.each([0, 1] as const)('has its blocks where they are there (look %i)', async (at) => {
    const [width, boxes] = [widths[at], blocks.map(([name, , ...looks]) => [name, looks[at]] as const)];
    await page.setViewportSize({ width, height: 800 });
    if (at === 0) await open(example);
    const places = await page.evaluate<Place[]>(
      `${JSON.stringify(blocks.map(([, selector]) => selector))}.map((selector) => {
        const { left, top, width, height } = document.querySelector(selector).getBoundingClientRect();
        return { left, top: top + scrollY, width, height };
      })`,
    );
    const near = (value: number, wanted: number): boolean => Math.abs(value - wanted) <= 2;
    const wrong = boxes.flatMap(([name, [left, wide, [least, most]]], i) => {
      const place = places[i] ?? { left: 0, top: 0, width: 0, height: 0 };
      const isThere = near(place.left, left) && near(place.width, wide);
      const isHigh = place.height >= least - 2 && place.height <= most + 2;
      return isThere && isHigh ? [] : [[name, place]];
    });
    expect(wrong).toEqual([]);
    const inOrder = blocks.map((block) => !apart.includes(block));
    const tops = places.filter((_place, i) => inOrder[i]).map(({ top }) => top);
    expect(tops).toEqual([...tops].sort((a, b) => a - b));
  });
});

/** A Chromebook, a small laptop and two phones, without what the browser itself takes. */
const windows = [
  [1366, 625],
  [1280, 720],
  [390, 664],
  [360, 640],
] as const;

/** Whether all buttons of the bar are whole at the top, in the middle and at the end of the page, with the question above them at its top. */
const isWhole = `[0, 0.5, 1].every((part) => {
  scrollTo(0, part * (document.documentElement.scrollHeight - innerHeight));
  const bar = document.querySelector('.stay').getBoundingClientRect();
  const question = document.querySelector('h1').getBoundingClientRect();
  const buttons = [...document.querySelectorAll('.stay > *')].map((button) => button.getBoundingClientRect());
  return (part > 0 || question.bottom <= bar.top) && buttons.every(({ top, bottom, left, right, height }) =>
    height >= 44 && top >= Math.max(bar.top, 0) && bottom <= innerHeight && left >= 0 && right <= innerWidth);
})`;

test.each([
  'consent-limits-long-name',
  'consent-limits-program',
  'consent-every-permission',
  'consent-approval',
  'connected-app-limits',
])('the buttons of %s are whole in every window, and the list scrolls', async (example) => {
  await open(example);
  const seen: boolean[] = [];
  for (const [width, height] of windows) {
    await page.setViewportSize({ width, height });
    seen.push(await page.evaluate<boolean>(isWhole));
    const { scrollWidth, scrollHeight } = await page.evaluate<{ scrollWidth: number; scrollHeight: number }>(
      '({ scrollWidth: document.documentElement.scrollWidth, scrollHeight: document.documentElement.scrollHeight })',
    );
    expect([scrollWidth, scrollHeight > height]).toEqual([width, true]);
  }
  expect(seen).toEqual(windows.map(() => true));
});

test('with the longest name, a button says “Connect” and nothing else', async () => {
  await open('consent-limits-long-name');
  expect(await page.locator('button.primary').innerText()).toMatch(/^Connect(?:, view only)?$/);
  expect((await page.locator('h1').innerText()).length).toBeGreaterThan(80);
});

/** What the review of the pages asked for, each with a value: the example, how wide its window is, and what is measured there. */
const polished: readonly (readonly [what: string, example: string, width: number, measure: string, value: unknown])[] =
  [
    [
      'a table begins where its heading does',
      'connections-all',
      1280,
      `getComputedStyle(document.querySelector('th')).paddingInlineStart`,
      '0px',
    ],
    [
      'both columns of permissions begin at the same height',
      'application-edit',
      1280,
      `(() => {
      const tops = new Map();
      for (const item of document.querySelectorAll('.areas > li')) {
        const { left, top } = item.getBoundingClientRect();
        tops.set(Math.round(left), Math.min(top, tops.get(Math.round(left)) ?? Infinity));
      }
      return [tops.size, new Set(tops.values()).size];
    })()`,
      [2, 1],
    ],
    [
      'a box stands beside the first line of what it is for',
      'connections-rule',
      1280,
      `[...document.querySelectorAll('.rail .row:has(span > .soft) > input')].flatMap((input) => {
      const { top } = input.parentElement.getBoundingClientRect();
      const down = Math.round(input.getBoundingClientRect().top - top);
      return down > 14 ? [[input.name, input.value, down]] : [];
    })`,
      [],
    ],
    [
      'so does the mark of what opens',
      'application-new-sign-in',
      1280,
      `getComputedStyle(document.querySelector('summary:has(.hint)')).alignItems`,
      'start',
    ],
    [
      'the answer that declines is as high as the others',
      'applications-asked',
      1280,
      `[...document.querySelectorAll('.answers .actions > *')].filter((each) => each.getBoundingClientRect().height < 48).length`,
      0,
    ],
    [
      'a button on a phone is as wide as its form',
      'connections-rule',
      390,
      `(({ width }, parent) => Math.round(width - parent.width))(
      document.querySelector('.rail form .primary').getBoundingClientRect(),
      document.querySelector('.rail form').getBoundingClientRect(),
    )`,
      0,
    ],
    [
      'a name in a heading is on one line',
      'consent-limits-program',
      390,
      `[...document.querySelectorAll('h1 .whole bdi')].map((name) => name.getClientRects().length)`,
      [1, 1],
    ],
    [
      'what is optional says so without weight',
      'application-new',
      1280,
      `(({ fontSize, fontWeight, backgroundColor }) => [fontSize, fontWeight, backgroundColor])(
      getComputedStyle(document.querySelector('label .soft')),
    )`,
      ['13px', '400', 'rgba(0, 0, 0, 0)'],
    ],
    [
      'what two have entered stands side by side',
      'application-conflict',
      1280,
      `document.querySelectorAll('.notice th').length`,
      3,
    ],
    [
      'a section begins 32 pixels below the one before it, and its text 8 below its heading',
      'application-edit',
      390,
      `[getComputedStyle(document.querySelector('section + section')).marginTop, getComputedStyle(document.querySelector('section h2 + *')).marginTop]`,
      ['32px', '8px'],
    ],
  ];

test.each(polished)('%s', async (_what, example, width, measure, value) => {
  await page.setViewportSize({ width, height: 800 });
  await open(example);
  expect(await page.evaluate(measure)).toEqual(value);
});

test.each([
  ['connections-rule-confirm', /^Block [^?]*[^ ?]\?$/],
  ['consent-limits-program', /^Connect .* to [^?]*[^ ?]\?$/],
])('the heading of %s is read without a space before its end', async (example, name) => {
  await open(example);
  expect(await page.getByRole('heading', { level: 1, name }).count()).toBe(1);
});
