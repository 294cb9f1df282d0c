import { createDevice, type DeviceOptions } from './device.ts';
import type { Json } from './json.ts';
import type { ClientProgram } from './program.ts';
import { type Step, Stopped } from './wire.ts';

export interface PlayOptions extends DeviceOptions {
  /** The tool that the person has the program call. */
  readonly tool: { readonly name: string; readonly arguments?: Json | undefined };
}

/** What happened when a program met a server. */
export interface Transcript {
  readonly program: string;
  readonly steps: readonly Step[];
  /** It holds tokens, and the endpoint has accepted them. */
  readonly connected: boolean;
  readonly clientId?: string | undefined;
  /** The scopes of its token. */
  readonly scope?: string | undefined;
  readonly tools: readonly string[];
  /** The results of the tool, before and after a refresh. */
  readonly results: readonly Json[];
  readonly refreshed: boolean;
  /** Why it stopped; absent if it came to the end. */
  readonly reason?: string | undefined;
}

/** Acts out a program: it connects, calls the tool, refreshes, and calls the tool again. */
export async function play(program: ClientProgram, { tool, ...options }: PlayOptions): Promise<Transcript> {
  const device = createDevice(program, options);
  const results: Json[] = [];
  const done = { connected: false, refreshed: false };
  const call = async () => results.push(await device.callTool(tool.name, tool.arguments));
  const run = async () => {
    await device.connect();
    done.connected = true;
    await call();
    await device.refresh();
    done.refreshed = true;
    await call();
  };
  const reason = await run().then(() => undefined, reasonOf);
  return {
    program: program.name,
    steps: device.steps,
    ...done,
    ...device.signedIn,
    tools: device.tools,
    results,
    reason,
  };
}

/** What `Stopped` says. Other errors, such as a server that cannot be reached, are not the program's. */
function reasonOf(error: unknown): string {
  if (error instanceof Stopped) return error.message;
  throw error;
}
