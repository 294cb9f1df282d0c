import { contenders } from './mcp-contenders.ts';

// A process of its own for each contender; the parent asks what it has cost so far.
const contender = await contenders[process.argv[2] ?? '']?.();
if (!contender) throw new Error(`no contender ${process.argv[2] ?? ''}`);
process.on('message', () => process.send?.(process.cpuUsage()));
process.on('disconnect', () => process.exit());
process.send?.(contender);
