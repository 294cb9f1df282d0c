import type { MaybePromise } from '../../host/school-platform.ts';
import type { OnFault } from '../../observe/events.ts';
import { faultWrapper } from '../../observe/faults-to-503.ts';
import { wrongReturn } from '../../host/check-returns.ts';
import { Html } from './markup.ts';

type Draw<V> = (view: V) => MaybePromise<Html>;

/**
 * A function of the host that draws in place of ours, and may not change one part of what it is given. What it does wrong is a fault,
 * and nothing is returned, so that ours is drawn.
 */
export function drawnByHost<V>(
  onFault: OnFault,
  name: string,
  draw: Draw<V> | undefined,
  keeps: { readonly part: (view: V) => Html; readonly rule: string },
): ((view: V) => Promise<Html | undefined>) | undefined {
  if (!draw) return undefined;
  const checked = faultWrapper(onFault)(name, async (view: V) => {
    const drawn: unknown = await draw(view);
    if (drawn instanceof Html && drawn.text.includes(keeps.part(view).text)) return drawn;
    throw wrongReturn(`${name}()`, '', drawn, keeps.rule);
  });
  return (view) => checked(view).catch(() => undefined);
}
