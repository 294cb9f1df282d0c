import { html, type Html } from './markup.ts';

interface DecisionChoice {
  readonly value: string;
  readonly text: Html;
  readonly hint: Html;
  /** What it changes for whom, before it is saved. */
  readonly effect?: Html | false | undefined;
  readonly isChosen: boolean;
}

/** One decision out of a few, each with its effect: that of the chosen one is shown. */
export function decisionMenu(name: string, legend: Html, choices: readonly DecisionChoice[]): Html {
  return html`<fieldset><legend class="label">${legend}</legend>${choices.map(
    ({ value, text, hint, effect, isChosen }) =>
      html`<label class="row"><input type="radio" name="${name}" value="${value}" required${isChosen && html` checked`}><span>${text}<span class="soft">${hint}</span>${effect && html`<b class="soft effect">${effect}</b>`}</span></label>\n`,
  )}</fieldset>`;
}
