import assistantsTexts from './assistants/en.json' with { type: 'json' };
import type { AssistantsPageName } from './assistants/texts.ts';
import assistantsInChinese from './assistants/zh-Hant.json' with { type: 'json' };
import deviceTexts from './device/en.json' with { type: 'json' };
import type { DevicePageName } from './device/texts.ts';
import deviceInChinese from './device/zh-Hant.json' with { type: 'json' };
import privateKeyJwtTexts from './private-key-jwt/en.json' with { type: 'json' };
import privateKeyJwtInChinese from './private-key-jwt/zh-Hant.json' with { type: 'json' };

/** The texts of features, in English and in the other built-in languages. */
export const featureTexts: typeof assistantsTexts & typeof deviceTexts & typeof privateKeyJwtTexts = {
  ...assistantsTexts,
  ...deviceTexts,
  ...privateKeyJwtTexts,
};

export const featureTranslations: {
  readonly 'zh-Hant': typeof assistantsTexts & typeof deviceTexts & typeof privateKeyJwtTexts;
} = {
  'zh-Hant': { ...assistantsInChinese, ...deviceInChinese, ...privateKeyJwtInChinese },
};

export type FeatureText = keyof typeof featureTexts;

/** The names of pages of features. */
export type FeaturePageName = AssistantsPageName | DevicePageName;
