import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startChromium } from '../../helpers/chromium.ts';
import { type LargeSchool, startLargeSchool } from '../../helpers/large-school.ts';
import { siteOf } from '../../helpers/sites.ts';
import { Visitor } from './visitor.ts';

// The console of a school with 60 apps and 5,000 people, to the end of each journey.

const apps = '/developers/apps';
const ofQuizlet = `${apps}?client=quizlet`;

let large: LargeSchool;
let browser: Browser;
beforeAll(async () => {
  [large, browser] = await Promise.all([startLargeSchool(), startChromium()]);
});
afterAll(async () => {
  await browser.close();
  await large.schools.close();
});

const olivia = (): Promise<Visitor> => Visitor.at(browser, large.schools.harbour, 'olivia');

/** A window of this width at an address, for who uses a mouse or a finger. */
async function windowAt(address: string, width: number, height = 800): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height } });
  await context.addCookies([{ name: 'person', value: 'olivia', url: large.schools.harbour }]);
  const page = await context.newPage();
  await page.goto(large.schools.harbour + address);
  return page;
}

async function click(page: Page, role: 'link' | 'button', name: string | RegExp): Promise<void> {
  const loaded = page.waitForEvent('load');
  await page
    .getByRole(role, { name, exact: typeof name === 'string' })
    .first()
    .click();
  await loaded;
}

describe('four questions, in at most three presses each', () => {
  test('by keyboard, without a script', async () => {
    const person = await olivia();
    await person.open(apps);
    await person.press('link', 'Quizlet', 'Quizlet');
    await person.page.getByRole('heading', { name: '214 people use it' }).waitFor();
    expect(person.presses).toBeLessThanOrEqual(3);

    person.presses = 0;
    await person.open(apps);
    await person.press('link', 'People', 'People');
    await person.type('searchbox', 'Search people by name or email', 'sam riv');
    await person.press('button', 'Show', 'People');
    await person.press('link', /^Sam Rivera/, 'Sam Rivera');
    await person.page.getByRole('heading', { name: '3 apps can act for Sam Rivera' }).waitFor();
    expect(person.presses).toBe(3);

    person.presses = 0;
    await person.open(apps);
    await person.reach('combobox', 'Order');
    // The newest first is the last of the orders.
    person.presses += 1;
    await person.page.keyboard.press('End');
    await person.press('button', 'Show', 'Apps');
    expect(await person.page.locator('tbody tr').first().innerText()).toContain('new this week');
    await person.press('link', 'Padlet', 'Padlet');
    expect(person.presses).toBe(3);

    person.presses = 0;
    await person.open(apps);
    await person.press('link', 'Activity', 'Activity');
    expect(await person.page.locator('main').textContent()).toContain('26 people connected 5 apps');
    expect(person.presses).toBe(1);
    await person.page.context().close();
  });

  test.each([1280, 390])('by mouse, in a window of %i pixels', async (width) => {
    const page = await windowAt(apps, width);
    await click(page, 'link', 'Quizlet');
    await page.getByRole('heading', { name: '214 people use it' }).waitFor();
    await click(page, 'link', 'People');
    await page.getByRole('searchbox').fill('sam riv');
    await click(page, 'button', 'Show');
    await click(page, 'link', /^Sam Rivera/);
    await page.getByRole('heading', { name: '3 apps can act for Sam Rivera' }).waitFor();
    await click(page, 'link', 'Apps');
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Newest');
    await click(page, 'button', 'Show');
    expect(await page.locator('tbody tr').first().innerText()).toContain('new this week');
    await click(page, 'link', 'Activity');
    expect(await page.locator('main').textContent()).toContain('26 people connected 5 apps');
    await page.context().close();
  });
});

describe('what each page looks like', () => {
  const pages = {
    apps,
    'can change data': `${apps}?show=changes`,
    app: ofQuizlet,
    people: `${apps}/people`,
    person: `${apps}/people?person=sam`,
    print: `${apps}/people?person=sam&view=print`,
    activity: `${apps}/activity`,
    entries: `${apps}/activity?kind=all&when=dates`,
  };

  /** What is too small to be touched, cut off, or a column of single letters. */
  const problems = `(() => {
    const shown = (selector) => [...document.querySelectorAll(selector)].filter((each) => each.getClientRects().length > 0);
    const named = (each) => each.tagName + ' ' + each.textContent.trim().slice(0, 30);
    return [
      ...shown('.button,nav a,a.row,button,input,select,summary').filter((each) => {
        const { width, height } = (each.closest('label') ?? each).getBoundingClientRect();
        return width < 44 || height < 44;
      }).map((each) => 'small: ' + named(each)),
      ...shown('th,td,h1,h2').filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => 'cut: ' + named(each)),
      ...shown('th,td').filter((each) => each.textContent.trim().length > 3 && each.clientWidth < 40).map((each) => 'narrow: ' + named(each)),
      ...(document.documentElement.scrollWidth > innerWidth ? ['scrolls sideways'] : []),
    ];
  })()`;

  test.each(Object.entries(pages))('%s: nothing is too small or cut, also at 200 %% zoom', async (_name, address) => {
    const page = await windowAt(address, 1280);
    // 640 pixels are 1280 at 200 % zoom. Between 860 and 960, the console has its navigation at the side.
    for (const width of [1280, 960, 880, 860, 640, 390]) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await page.evaluate(problems)]).toEqual([width, []]);
    }
    await page.context().close();
  });

  test('Save is in the first window of an app, also with limits', async () => {
    const { schools } = large;
    await schools.campus.apps.set(
      siteOf(schools),
      { clientId: 'padlet' },
      { access: 'allowed', scopes: ['openid', 'account:read'] },
    );
    for (const address of [ofQuizlet, `${apps}?client=padlet`]) {
      const page = await windowAt(address, 1280);
      const box = await page.getByRole('button', { name: 'Save' }).boundingBox();
      expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(800);
      await page.context().close();
    }
  });
});

test('on a phone, the decision on an app stands above its people', async () => {
  const page = await windowAt(ofQuizlet, 390);
  const topOf = async (selector: string): Promise<number> =>
    (await page.locator(selector).boundingBox())?.y ?? Number.NaN;
  expect(await topOf('button.primary')).toBeLessThan(await topOf('#people'));
  await page.context().close();
});

test('a school blocks an app for students by keyboard: the teachers keep it', async () => {
  const person = await olivia();
  await person.open(ofQuizlet);
  await person.tick(/^Student/);
  await person.press('button', 'Save', /Quizlet/);
  const text = await person.page.locator('main').textContent();
  expect(text).toMatch(/178 people \(Student\)[^.]* disconnected/);
  await person.press('button', /^Turn off/, 'Quizlet');
  await person.page.getByRole('heading', { name: '36 people use it' }).waitFor();
  await person.page.context().close();
});

test('who can connect it is no question while an app is blocked', async () => {
  const page = await windowAt(ofQuizlet, 1280);
  const roles = page.getByRole('group', { name: 'Who can connect it' });
  for (const [choice, isAsked] of [
    ['Block', false],
    ['Allow', true],
  ] as const) {
    await page.getByRole('radio', { name: choice, exact: true }).check();
    expect([choice, await roles.isVisible()]).toEqual([choice, isAsked]);
  }
  await page.context().close();
});
