import { describe, expect, test } from '@jest/globals';
import { SharedRoom } from '../../lib/kernel/shared-room.ts';

describe('shared room', () => {
  test('has a place for who has none, whatever others have taken', () => {
    const room = new SharedRoom(12);
    const taken = (owner: string): number => {
      let count = 0;
      while (room.enter(owner)) count += 1;
      return count;
    };
    expect([taken('a'), taken('b'), taken('c'), taken('d')]).toEqual([6, 3, 2, 1]);
    expect(taken('a')).toBe(0);
  });

  test('is free again', () => {
    const room = new SharedRoom(2);
    const leave = room.enter('a');
    expect(room.enter('a')).toBeUndefined();
    leave?.();
    expect(room.enter('a')).toBeDefined();
  });
});
