import deviceTexts from './device/en.json' with { type: 'json' };
import type { DevicePageName } from './device/texts.ts';
import deviceInChinese from './device/zh-Hant.json' with { type: 'json' };
import privateKeyJwtTexts from './private-key-jwt/en.json' with { type: 'json' };
import privateKeyJwtInChinese from './private-key-jwt/zh-Hant.json' with { type: 'json' };

/** The texts of features, in English and in the other built-in languages. */
export const featureTexts: typeof deviceTexts & typeof privateKeyJwtTexts = { ...deviceTexts, ...privateKeyJwtTexts };

export const featureTranslations: { readonly 'zh-Hant': typeof deviceTexts & typeof privateKeyJwtTexts } = {
  'zh-Hant': { ...deviceInChinese, ...privateKeyJwtInChinese },
};

export type FeatureText = keyof typeof featureTexts;

/** The names of pages of features. */
export type FeaturePageName = DevicePageName;
