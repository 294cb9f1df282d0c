import { closeConnections } from './drills/visitor.ts';
import { allSteps, type Chosen, type Given, readStep, type StepName, steps, usage } from './scale-steps/arguments.ts';

/** Loaded only when a step runs: most of them load the whole package. */
const runs: { readonly [S in StepName]: () => Promise<{ readonly run: (given: Given<S>) => void | Promise<void> }> } = {
  costs: () => import('./scale-steps/costs.ts'),
  bytes: () => import('./scale-steps/bytes.ts'),
  latency: () => import('./scale-steps/latency.ts'),
  memory: () => import('./scale-steps/memory.ts'),
  morning: () => import('./scale-steps/morning.ts'),
  faults: () => import('./scale-steps/faults.ts'),
  restore: () => import('./scale-steps/restore.ts'),
  log: () => import('./scale-steps/log.ts'),
  model: () => import('./scale-steps/model.ts'),
};

async function runStep<S extends StepName>(step: S, given: Given<S>): Promise<void> {
  console.log(`\n${step}: ${steps[step].what}`);
  const { run } = await runs[step]();
  await run(given);
}

function leave(message: string, status: number): never {
  (status === 0 ? console.log : console.error)(message);
  process.exit(status);
}

function readArguments(args: readonly string[]): Chosen | undefined {
  if (args.includes('--help')) leave(usage, 0);
  try {
    return readStep(args);
  } catch (error) {
    return leave(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`, 2);
  }
}

const chosen = readArguments(process.argv.slice(2));
for (const { step, given } of chosen ? [chosen] : allSteps()) await runStep(step, given);
closeConnections();
