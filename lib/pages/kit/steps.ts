import { icon } from './icons.ts';
import { html, type Html } from './markup.ts';

interface Step {
  /** `next` has its number. */
  readonly state: 'done' | 'now' | 'refused' | 'next';
  readonly name: Html;
  readonly detail?: Html | false | undefined;
}

const marks: Readonly<Record<Exclude<Step['state'], 'next'>, Html>> = {
  done: icon('check', 'good'),
  now: icon('clock', 'warn'),
  refused: icon('block', 'bad'),
};

/** What has happened, what happens now and what comes next. */
export function stepList(steps: readonly Step[]): Html {
  return html`<ol class="steps">${steps.map(
    ({ state, name, detail }) =>
      html`<li>${state !== 'next' && marks[state]}<b>${name}</b>${detail && html`<p class="soft">${detail}</p>`}</li>\n`,
  )}</ol>`;
}
