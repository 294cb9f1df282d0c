import type { Plugin } from 'graphql-yoga';
import { isThenable } from '../../observe/faults-to-503.ts';

/** Hooks that envelop calls without waiting: a promise that one of them returns would be left alone, and end the process if it rejects. */
const synchronous = ['onParse', 'onValidate', 'onEnveloped', 'onSchemaChange'] as const;

/** The plug-in with hooks that throw when they return a promise, which is handled. The host's own object stays as it is. */
export function withHooksAtOnce(plugin: Plugin): Plugin {
  const own: PropertyDescriptorMap = {};
  for (const name of synchronous) {
    const hook = plugin[name];
    if (hook) own[name] = { value: atOnce(name, hook), enumerable: true, writable: true };
  }
  return Object.keys(own).length > 0 ? Object.create(plugin, own) : plugin;
}

/** The function that a hook returns is called after its step, and not waited for either. */
function atOnce(name: string, call: object): (...args: unknown[]) => unknown {
  return (...args) => {
    const returned: unknown = typeof call === 'function' ? Reflect.apply(call, undefined, args) : undefined;
    if (isThenable(returned)) {
      Promise.resolve(returned).catch(() => undefined);
      throw new TypeError(`${name} of a memberApi plug-in must not be async; return its result directly`);
    }
    return typeof returned === 'function' ? atOnce(name, returned) : returned;
  };
}
