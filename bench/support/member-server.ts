import { contenders } from './contenders.ts';

// A process of its own for each contender; the parent asks how often the store was asked, and what it all cost.
const contender = await contenders[process.argv[2] ?? '']?.();
if (!contender) throw new Error(`no contender ${process.argv[2] ?? ''}`);
process.on('message', () => {
  void (async () => process.send?.({ asked: await contender.asked(), cpu: process.cpuUsage() }))();
});
process.on('disconnect', () => process.exit());
process.send?.({ url: contender.url, token: contender.token });
