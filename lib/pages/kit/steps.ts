import { icon } from './icons.ts';
import { html, type Html } from './markup.ts';

type State = 'done' | 'now' | 'refused' | 'next';

interface Step {
  /** `next` has its number. */
  readonly state: State;
  readonly name: Html;
  readonly detail?: Html | false | undefined;
}

const marks: Readonly<Record<Exclude<State, 'next'>, Html>> = {
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

interface StepSection {
  readonly state: State;
  readonly heading: Html;
  readonly body: Html;
}

/** The same where each step is something to do. */
export function stepSections(steps: readonly StepSection[]): Html {
  return html`<ol class="steps">${steps.map(
    ({ state, heading, body }) =>
      html`<li>${state !== 'next' && marks[state]}<h2>${heading}</h2>\n<div class="flow">${body}</div></li>\n`,
  )}</ol>`;
}
