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

/** What has happened, what happens now and what comes next. `said` are the words for the states, for who does not see the icons. */
export function stepList(steps: readonly Step[], said: (state: Step['state']) => Html | false): Html {
  return html`<ol class="steps">${steps.map(({ state, name, detail }) => {
    const mark = state !== 'next' && marks[state];
    const word = said(state);
    return html`<li>${mark}<b>${name}</b>${word && html` <span class="hide">${word}</span>`}${detail && html`<p class="soft">${detail}</p>`}</li>\n`;
  })}</ol>`;
}
