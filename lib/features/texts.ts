import deviceTexts from './device/en.json' with { type: 'json' };
import type { DevicePageName } from './device/texts.ts';
import deviceInChinese from './device/zh-Hant.json' with { type: 'json' };

/** The texts of features, in English and in the other built-in languages. */
export const featureTexts: typeof deviceTexts = { ...deviceTexts };

export const featureTranslations: { readonly 'zh-Hant': typeof deviceTexts } = {
  'zh-Hant': { ...deviceInChinese },
};

export { elsewhere } from './device/texts.ts';

/** The names of pages of features. */
export type FeaturePageName = DevicePageName;
