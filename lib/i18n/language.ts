/** Scripts that are written from right to left. */
const rightToLeft = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa']);

/** The language of a tag with script and region filled in; `undefined` for what is no tag. BCP 47. */
function localeOf(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag).maximize();
  } catch {
    return undefined;
  }
}

/** Whether this is a language tag, for example `zh-Hant`. */
export function isLanguage(tag: string): boolean {
  return localeOf(tag) !== undefined;
}

/** In which direction a language is written. */
export function directionOf(tag: string): 'ltr' | 'rtl' {
  return rightToLeft.has(localeOf(tag)?.script ?? '') ? 'rtl' : 'ltr';
}

/**
 * The best of the languages that there are, for the first wish that any of them meets: language and script must be the
 * same, so that `zh-TW` finds `zh-Hant` and `zh-CN` does not; of several, the one of the wished region.
 */
export function negotiate(available: readonly string[], wishes: readonly string[]): string | undefined {
  for (const wish of wishes) {
    const wanted = localeOf(wish);
    const fitting = available.filter((tag) => {
      const offered = localeOf(tag);
      return wanted !== undefined && offered?.language === wanted.language && offered.script === wanted.script;
    });
    const best = fitting.find((tag) => localeOf(tag)?.region === wanted?.region) ?? fitting[0];
    if (best !== undefined) return best;
  }
  return undefined;
}

const controls = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

/**
 * A text without the characters that turn or break what stands around it. An isolate alone does not hold them: the one
 * that ends it can be taken for the end of another that was begun within.
 */
export function withoutControls(text: string): string {
  return text.replace(controls, '');
}
