import en from './en.json' with { type: 'json' };
import zhHant from './zh-Hant.json' with { type: 'json' };

type Texts = typeof en;

export const peopleTexts: { readonly en: Texts; readonly 'zh-Hant': Texts } = { en, 'zh-Hant': zhHant };

declare module '../../kernel/feature-texts.ts' {
  interface FeatureTexts extends Texts {}
}

declare module '../../pages/kit/page-template.ts' {
  interface FeaturePages {
    readonly people: true;
  }
}
