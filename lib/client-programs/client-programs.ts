import type { KnownProgram } from './program.ts';
import { anthropicPrograms } from './programs/anthropic.ts';
import { cursorPrograms } from './programs/cursor.ts';
import { microsoftPrograms } from './programs/microsoft.ts';
import { openaiPrograms } from './programs/openai.ts';
import { selfHostedPrograms } from './programs/self-hosted.ts';
import { toolPrograms } from './programs/tools.ts';

/** What people use, one row for each way in which it connects. Autumn 2026. */
export const clientPrograms: readonly KnownProgram[] = [
  ...anthropicPrograms,
  ...openaiPrograms,
  ...microsoftPrograms,
  ...cursorPrograms,
  ...toolPrograms,
  ...selfHostedPrograms,
];
