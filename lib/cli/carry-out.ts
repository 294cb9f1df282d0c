import { off, UsageError } from './command.ts';
import type { Terminal } from './output.ts';

/** The options of every command that ends or removes more than one thing. */
export const carryOutOptions = { 'dry-run': off, yes: off, json: off } as const;

/** How its usage and its help show them. */
export const carryOutUsage = '[--dry-run] [--yes] [--json]';
export const carryOutHelp = `  --dry-run  print only the numbers, and make no changes
  --yes      do not ask for confirmation; needed without a terminal
  --json     for apps`;

/** What a command is about to do, or has done. */
export interface Effect {
  readonly text: string;
  /** How many of what, for apps. */
  readonly counts: Readonly<Record<string, number | Readonly<Partial<Record<string, number>>>>>;
  /** Whether something is left that could not be done. @default false */
  readonly isPartial?: boolean | undefined;
}

/** What a command is about to do. */
export interface Plan extends Effect {
  readonly isNothing: boolean;
  /** Why not even `--yes` is enough, and what is. */
  readonly refusal?: string | undefined;
}

/** What was given for them. */
export interface CarryOutValues {
  readonly 'dry-run': boolean;
  readonly yes: boolean;
  readonly json: boolean;
}

/**
 * Says what a command is about to end or remove, and does it once a person or `--yes` has confirmed it. Returns the exit code: 1 if it could not do all of it.
 *
 * @throws UsageError if that is refused, before anything has changed
 */
export async function carryOut(
  plan: Plan,
  { 'dry-run': dryRun, yes, json }: CarryOutValues,
  terminal: Terminal,
  act: () => Promise<Effect>,
): Promise<number> {
  if (dryRun) {
    if (json) terminal.print(JSON.stringify({ dryRun, ...plan.counts }));
    else terminal.report('info', plan.text);
    return plan.isPartial ? 1 : 0;
  }
  if (!plan.isNothing) await confirm(plan, yes, terminal);
  const { text, counts, isPartial = false } = plan.isNothing ? plan : await act();
  if (json) terminal.print(JSON.stringify(counts));
  else terminal.report(isPartial ? 'error' : 'ok', text);
  return isPartial ? 1 : 0;
}

async function confirm({ text, refusal }: Plan, yes: boolean, terminal: Terminal): Promise<void> {
  const answer = yes || refusal !== undefined ? undefined : await terminal.ask(`${text}. Continue? [y/N]`);
  if (answer === undefined) terminal.note(text);
  if (refusal !== undefined) throw new UsageError(refusal);
  if (yes) return;
  if (answer === undefined) throw new UsageError('there is no terminal to confirm this; add --yes');
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new UsageError('stopped without changes');
}
