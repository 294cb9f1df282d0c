import { html, type Html } from './markup.ts';

interface DecisionChoice {
  readonly value: string;
  readonly text: Html;
  /** Beside what applies now. @default nothing */
  readonly now?: Html | false | undefined;
  readonly hint: Html;
  /** What it changes for whom, before it is saved. */
  readonly effect?: Html | false | undefined;
  readonly isChosen: boolean;
}

/** One decision out of a few, each with its effect: that of the chosen one is shown. @param beside - what can be ticked beside each of them */
export function decisionMenu(
  name: string,
  legend: Html,
  choices: readonly DecisionChoice[],
  beside: readonly DecisionChoice[] = [],
): Html {
  return html`<fieldset><legend>${legend}</legend>${choices.map((choice) => choiceRow(html`type="radio" name="${name}" required`, choice))}${beside.map((choice) => choiceRow(html`type="checkbox" name="${choice.value}"`, choice))}</fieldset>`;
}

function choiceRow(input: Html, { value, text, now, hint, effect, isChosen }: DecisionChoice): Html {
  const described = html`hint-${value}${effect && html` effect-${value}`}`;
  return html`<label class="row"><input ${input} value="${value}" aria-labelledby="choice-${value}" aria-describedby="${described}"${isChosen && html` checked`}><span><span id="choice-${value}">${text}</span>${now && html` <span class="good">· ${now}</span>`} <span class="soft" id="hint-${value}">${hint}</span>${effect && html` <b class="effect" id="effect-${value}">${effect}</b>`}</span></label>
`;
}
