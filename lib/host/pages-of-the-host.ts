import type { MaybePromise } from './school-platform.ts';
import type { OnFault } from '../observe/events.ts';
import { faultWrapper } from '../observe/faults-to-503.ts';
import { wrongReturn } from './check-returns.ts';

type Draw<V> = (view: V) => MaybePromise<string>;

/**
 * A function of the host that draws in place of ours, and may not change one part of what it is given. What it does wrong is a fault,
 * and nothing is returned, so that ours is drawn.
 */
export function drawnByHost<V>(
  onFault: OnFault,
  name: string,
  draw: Draw<V> | undefined,
  keeps: { readonly part: (view: V) => string; readonly rule: string },
): ((view: V) => Promise<string | undefined>) | undefined {
  if (!draw) return undefined;
  const checked = faultWrapper(onFault)(name, async (view: V) => {
    const drawn: unknown = await draw(view);
    if (typeof drawn === 'string' && drawn.includes(keeps.part(view))) return drawn;
    throw wrongReturn(`${name}()`, '', drawn, keeps.rule);
  });
  return (view) => checked(view).catch(() => undefined);
}
