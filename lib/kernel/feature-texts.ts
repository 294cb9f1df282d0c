/** The texts of features, by key. Each feature adds the keys of its `en.json` (`declare module`). */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface
export interface FeatureTexts {}
