import { install, type Installation, type InstallationOptions } from './installation.ts';
import type { JsonMembers } from '../kernel/json.ts';
import type { SimulatedClient } from './simulated-client.ts';
import { Stopped } from './wire.ts';

export interface PlayOptions extends InstallationOptions {
  /** The tool that the person has the app call. @default none; the tools are listed */
  readonly tool?: { readonly name: string; readonly arguments?: JsonMembers | undefined } | undefined;
}

export interface Transcript {
  /** Its requests, its tools and its scopes; what happens next can be played on it. */
  readonly installation: Installation;
  /** Whether it holds tokens that the endpoint accepts. */
  readonly connected: boolean;
  /** The results of the tool, before and after a refresh. */
  readonly results: readonly JsonMembers[];
  readonly refreshed: boolean;
  /** Why it stopped; absent if it came to the end. */
  readonly reason?: string | undefined;
}

/** Acts out an app: it connects, calls the tool, refreshes, and calls the tool again; without a tool it lists them again. */
export async function play(app: SimulatedClient, { tool, ...options }: PlayOptions): Promise<Transcript> {
  const installation = install(app, options);
  const results: JsonMembers[] = [];
  let [connected, refreshed] = [false, false];
  try {
    await installation.connect();
    connected = true;
    if (tool) results.push(await installation.callTool(tool.name, tool.arguments));
    await installation.refresh();
    refreshed = true;
    if (tool) results.push(await installation.callTool(tool.name, tool.arguments));
    else await installation.listTools();
    return { installation, connected, results, refreshed };
  } catch (error) {
    // Any other error, such as a server that cannot be reached, is not the app's.
    if (!(error instanceof Stopped)) throw error;
    return { installation, connected, results, refreshed, reason: error.message };
  }
}
