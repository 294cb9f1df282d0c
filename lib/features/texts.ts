import deviceTexts from './device/en.json' with { type: 'json' };
import { deviceElsewhere, type DevicePageName } from './device/texts.ts';
import deviceInChinese from './device/zh-Hant.json' with { type: 'json' };
import privateKeyJwtTexts from './private-key-jwt/en.json' with { type: 'json' };
import privateKeyJwtInChinese from './private-key-jwt/zh-Hant.json' with { type: 'json' };

/** The texts of features, in English and in the other built-in languages. */
export const featureTexts: typeof deviceTexts & typeof privateKeyJwtTexts = { ...deviceTexts, ...privateKeyJwtTexts };

export const featureTranslations: { readonly 'zh-Hant': typeof deviceTexts & typeof privateKeyJwtTexts } = {
  'zh-Hant': { ...deviceInChinese, ...privateKeyJwtInChinese },
};

type FeatureText = keyof typeof featureTexts;

/** What the consent page says where nobody is sent back to an address: where it goes on, and warnings. */
export const elsewhere: readonly {
  readonly place: readonly [name: FeatureText, value: FeatureText];
  readonly warnings: readonly FeatureText[];
}[] = [deviceElsewhere];

/** The names of pages of features. */
export type FeaturePageName = DevicePageName;
