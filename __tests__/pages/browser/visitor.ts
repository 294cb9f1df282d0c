import type { Browser, Locator, Page } from 'playwright-core';

type Role = 'link' | 'button' | 'checkbox' | 'combobox' | 'textbox' | 'searchbox';

type Name = string | RegExp;

/** How a person uses a browser. */
export interface Way {
  readonly by: 'keyboard' | 'mouse';
  /** Of the window, in CSS pixels. */
  readonly width: number;
  readonly javaScript: boolean;
}

const plainWay: Way = { by: 'keyboard', width: 1280, javaScript: false };

/** A person in a browser. What they press is counted: links, buttons and boxes, and not what they type. */
export class Visitor {
  readonly page: Page;
  readonly #origin: string;
  readonly #way: Way;
  presses = 0;

  private constructor(page: Page, origin: string, way: Way) {
    this.page = page;
    this.#origin = origin;
    this.#way = way;
  }

  /** @param way - without it, they have a keyboard and no script */
  static async at(browser: Browser, origin: string, person?: string, way: Way = plainWay): Promise<Visitor> {
    const { width, javaScript: javaScriptEnabled } = way;
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width, height: 720 } });
    const visitor = new Visitor(await context.newPage(), origin, way);
    if (person !== undefined) await visitor.signIn(person);
    return visitor;
  }

  signIn(person: string): Promise<void> {
    return this.page.context().addCookies([{ name: 'person', value: person, url: this.#origin }]);
  }

  /** Another tab of the same browser. */
  async tab(): Promise<Visitor> {
    return new Visitor(await this.page.context().newPage(), this.#origin, this.#way);
  }

  async open(address: string | URL): Promise<void> {
    await this.page.goto(new URL(address, this.#origin).href);
  }

  /** Presses a link or a button, and waits until the page that it leads to shows this heading. */
  async press(role: 'link' | 'button', name: Name, heading: Name): Promise<void> {
    await this.#arrive(() => this.send(role, name), heading);
  }

  /** The same without waiting for a page. */
  async send(role: 'link' | 'button', name: Name): Promise<void> {
    await this.#activate(this.#named(role, name), 'Enter');
  }

  /** Sends the form of the field that has the focus. */
  async enter(heading: Name): Promise<void> {
    await this.#arrive(() => this.page.keyboard.press('Enter'), heading);
  }

  /** Ticks a box, or unticks it. */
  async tick(name: Name): Promise<void> {
    await this.#activate(this.#named('checkbox', name), 'Space');
  }

  /** Opens what a summary has folded. */
  async unfold(name: string): Promise<void> {
    await this.#activate(this.page.locator('summary', { hasText: name }).first(), 'Enter');
  }

  /** In place of what is in the field. */
  async type(role: 'textbox' | 'searchbox', name: Name, text: string): Promise<void> {
    await this.reach(role, name);
    await this.page.keyboard.press('ControlOrMeta+A');
    await this.page.keyboard.type(text);
  }

  /** Brings the focus to it. */
  async reach(role: 'combobox' | 'textbox' | 'searchbox', name: Name): Promise<void> {
    const field = this.#named(role, name);
    await (this.#way.by === 'mouse' ? field.click() : this.#tabTo(field));
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

  #named(role: Role, name: Name): Locator {
    return this.page.getByRole(role, { name, exact: typeof name === 'string' }).first();
  }

  /** A click has to reach the middle of it, so nothing may lie over it there. */
  async #activate(wanted: Locator, key: 'Enter' | 'Space'): Promise<void> {
    this.presses += 1;
    if (this.#way.by === 'mouse') return wanted.click();
    await this.#tabTo(wanted);
    await this.page.keyboard.press(key);
  }

  /** Presses Tab until it has the focus. */
  async #tabTo(wanted: Locator): Promise<void> {
    await wanted.waitFor();
    for (let i = 0; i < 150; i += 1) {
      if (await wanted.evaluate((element) => element === document.activeElement)) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`Tab never reached ${String(wanted)}`);
  }

  async #arrive(press: () => Promise<void>, heading: Name): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    await press();
    await loaded;
    await this.shows(heading);
  }
}
