/**
 * Demands something of a policy's option.
 *
 * @throws TypeError `<path> must <demand>`
 */
export function must(ok: boolean, path: string, demand: string): asserts ok {
  if (!ok) throw new TypeError(`${path} must ${demand}`);
}
