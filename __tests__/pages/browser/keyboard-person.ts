import type { Browser, Page } from 'playwright-core';

type Role = 'link' | 'button' | 'checkbox' | 'radio' | 'textbox' | 'searchbox';

type Name = string | RegExp;

/** A person at a keyboard, in a browser without JavaScript. What they press is counted: links, buttons and boxes, and not what they type. */
export class KeyboardPerson {
  readonly page: Page;
  readonly #origin: string;
  presses = 0;

  private constructor(page: Page, origin: string) {
    this.page = page;
    this.#origin = origin;
  }

  static async at(browser: Browser, origin: string, person?: string): Promise<KeyboardPerson> {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const visitor = new KeyboardPerson(await context.newPage(), origin);
    if (person !== undefined) await visitor.signIn(person);
    return visitor;
  }

  signIn(person: string): Promise<void> {
    return this.page.context().addCookies([{ name: 'person', value: person, url: this.#origin }]);
  }

  /** Another tab of the same browser. */
  async tab(): Promise<KeyboardPerson> {
    return new KeyboardPerson(await this.page.context().newPage(), this.#origin);
  }

  async open(address: string | URL): Promise<void> {
    await this.page.goto(new URL(address, this.#origin).href);
  }

  /** Presses Tab until it has the focus. */
  async tabTo(role: Role, name: Name): Promise<void> {
    const wanted = this.page.getByRole(role, { name, exact: typeof name === 'string' }).first();
    await wanted.waitFor();
    for (let i = 0; i < 150; i += 1) {
      if (await wanted.evaluate((element) => element === document.activeElement)) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`Tab never reached the ${role} ${String(name)}`);
  }

  /** Presses a link or a button, and waits until the page that it leads to shows this heading. */
  async press(role: 'link' | 'button', name: Name, heading: Name): Promise<void> {
    await this.tabTo(role, name);
    this.presses += 1;
    await this.enter(heading);
  }

  async enter(heading: Name): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    await this.page.keyboard.press('Enter');
    await loaded;
    await this.shows(heading);
  }

  /** Ticks a box, or unticks it. */
  async tick(name: Name): Promise<void> {
    await this.tabTo('checkbox', name);
    this.presses += 1;
    await this.page.keyboard.press('Space');
  }

  /** Goes with the arrow keys from what is chosen to something further down. */
  async choose(chosen: string, name: string): Promise<void> {
    await this.tabTo('radio', chosen);
    this.presses += 1;
    const wanted = this.page.getByRole('radio', { name, exact: true });
    while (!(await wanted.isChecked())) await this.page.keyboard.press('ArrowDown');
  }

  /** Opens what a summary has folded. */
  async unfold(name: string): Promise<void> {
    const summary = this.page.locator('summary', { hasText: name }).first();
    while (!(await summary.evaluate((element) => element === document.activeElement)))
      await this.page.keyboard.press('Tab');
    this.presses += 1;
    await this.page.keyboard.press('Enter');
  }

  async type(role: 'textbox' | 'searchbox', name: Name, text: string): Promise<void> {
    await this.tabTo(role, name);
    await this.page.keyboard.type(text);
  }

  /** Waits until the page shows this heading. */
  shows(heading: Name): Promise<void> {
    return this.page.getByRole('heading', { level: 1, name: heading, exact: typeof heading === 'string' }).waitFor();
  }

  status(): Promise<string | null> {
    return this.page.getByRole('status').first().textContent();
  }

  async text(): Promise<string> {
    return (await this.page.locator('main').textContent()) ?? '';
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}
