/**
 * What features bring for the members that they add to `T` with `declare module`, in one object. A feature of the list that declares a member
 * brings it: nothing else can be checked here, and `__tests__/features/removal.test.ts` takes each feature away.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function added<T extends object>(parts: readonly (object | undefined)[]): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.assign({}, ...parts) as T;
}
