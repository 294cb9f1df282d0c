import applicationsTexts from './applications/en.json' with { type: 'json' };
import applicationsInChinese from './applications/zh-Hant.json' with { type: 'json' };
import assistantsTexts from './assistants/en.json' with { type: 'json' };
import type { AssistantsPageName } from './assistants/texts.ts';
import assistantsInChinese from './assistants/zh-Hant.json' with { type: 'json' };
import boundariesTexts from './boundaries/en.json' with { type: 'json' };
import boundariesInChinese from './boundaries/zh-Hant.json' with { type: 'json' };
import connectedAppsTexts from './connected-apps/en.json' with { type: 'json' };
import connectedAppsInChinese from './connected-apps/zh-Hant.json' with { type: 'json' };
import deviceTexts from './device/en.json' with { type: 'json' };
import type { DevicePageName } from './device/texts.ts';
import deviceInChinese from './device/zh-Hant.json' with { type: 'json' };
import logoutTexts from './logout/en.json' with { type: 'json' };
import type { LogoutPageName } from './logout/texts.ts';
import logoutInChinese from './logout/zh-Hant.json' with { type: 'json' };
import privateKeyJwtTexts from './private-key-jwt/en.json' with { type: 'json' };
import privateKeyJwtInChinese from './private-key-jwt/zh-Hant.json' with { type: 'json' };
import programsTexts from './programs/en.json' with { type: 'json' };
import programsInChinese from './programs/zh-Hant.json' with { type: 'json' };
import pseudonymsTexts from './pseudonyms/en.json' with { type: 'json' };
import pseudonymsInChinese from './pseudonyms/zh-Hant.json' with { type: 'json' };

type FeatureTexts = typeof applicationsTexts &
  typeof connectedAppsTexts &
  typeof programsTexts &
  typeof assistantsTexts &
  typeof boundariesTexts &
  typeof deviceTexts &
  typeof privateKeyJwtTexts &
  typeof logoutTexts &
  typeof pseudonymsTexts;

/** The texts of features, in English and in the other built-in languages. */
export const featureTexts: FeatureTexts = {
  ...applicationsTexts,
  ...connectedAppsTexts,
  ...programsTexts,
  ...assistantsTexts,
  ...boundariesTexts,
  ...deviceTexts,
  ...privateKeyJwtTexts,
  ...logoutTexts,
  ...pseudonymsTexts,
};

export const featureTranslations: { readonly 'zh-Hant': FeatureTexts } = {
  'zh-Hant': {
    ...applicationsInChinese,
    ...connectedAppsInChinese,
    ...programsInChinese,
    ...assistantsInChinese,
    ...boundariesInChinese,
    ...deviceInChinese,
    ...privateKeyJwtInChinese,
    ...logoutInChinese,
    ...pseudonymsInChinese,
  },
};

export type FeatureText = keyof FeatureTexts;

/** The names of pages of features. */
export type FeaturePageName = AssistantsPageName | DevicePageName | LogoutPageName;
