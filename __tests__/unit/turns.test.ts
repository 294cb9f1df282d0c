import { describe, expect, test } from '@jest/globals';
import { Turns } from '../../lib/kernel/turns.ts';

/** Takes turns and notes in which order they begin. `end` ends one, and those that can begin have begun when it resolves. */
function noting(turns: Turns) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = async (owner: string, name: string, target?: string): Promise<void> => {
    ends.set(name, await turns.take(owner, target));
    begun.push(name);
  };
  return {
    begun,
    take: (...turn: Parameters<typeof begin>) => void begin(...turn),
    end: async (name: string): Promise<void> => {
      ends.get(name)?.();
      ends.delete(name);
      await Promise.resolve().then(() => undefined);
    },
  };
}

describe('turns', () => {
  test('go round the owners, and within an owner to who came first', async () => {
    const { begun, take, end } = noting(new Turns({ atOnce: 1 }));
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) take(name.slice(0, 1), name);
    for (const name of ['', 'a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await end(name);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  test('of one owner, and those for one target, leave some to the others', async () => {
    const { begun, take, end } = noting(new Turns({ atOnce: 4, perOwner: 2, perTarget: 1 }));
    take('a', 'a1', 'x');
    take('a', 'a2', 'x');
    take('a', 'a3', 'y');
    take('a', 'a4', 'z');
    take('b', 'b1', 'x');
    take('b', 'b2', 'z');
    await end('');
    expect(begun).toEqual(['a1', 'a3', 'b2']);
    await end('a1');
    expect(begun.slice(3)).toEqual(['a2']);
    await end('a2');
    expect(begun.slice(4)).toEqual(['b1']);
    await end('b2');
    expect(begun.slice(5)).toEqual(['a4']);
  });

  test('come to an end: nothing is counted of who has left', async () => {
    const turns = new Turns({ atOnce: 2, perOwner: 1 });
    for (let i = 0; i < 10; i += 1) (await turns.take('a'))();
    const ends = [await turns.take('a'), await turns.take('b')];
    for (const end of ends) end();
    (await turns.take('a'))();
  });
});
