/**
 * What features bring for the members that they add to `T` with `declare module`, in one object. The compiler cannot see that it is complete:
 * `__tests__/features/open-interfaces.test.ts` compares the members with the values.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function added<T extends object>(parts: readonly (object | undefined)[]): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.assign({}, ...parts) as T;
}
