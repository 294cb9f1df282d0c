/** What features add to `Campus`. Each adds its own (`declare module`). */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface
export interface FeatureMethods {}
