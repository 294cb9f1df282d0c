const rightToLeftScripts = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa']);

/** With the likely script and region; `undefined` for an invalid tag. BCP 47. */
function localeOf(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag).maximize();
  } catch {
    return undefined;
  }
}

export function isLanguage(tag: string): boolean {
  return localeOf(tag) !== undefined;
}

export function directionOf(tag: string): 'ltr' | 'rtl' {
  return rightToLeftScripts.has(localeOf(tag)?.script ?? '') ? 'rtl' : 'ltr';
}

/**
 * The best available language for the first preference that has one. Language and script must match, so that `zh-TW`
 * finds `zh-Hant` and `zh-CN` does not; among several, the region decides.
 */
export function negotiateLanguage(available: readonly string[], preferred: readonly string[]): string | undefined {
  for (const tag of preferred) {
    const wanted = localeOf(tag);
    const matches = available.filter((candidate) => {
      const locale = localeOf(candidate);
      return wanted !== undefined && locale?.language === wanted.language && locale.script === wanted.script;
    });
    const best = matches.find((candidate) => localeOf(candidate)?.region === wanted?.region) ?? matches[0];
    if (best !== undefined) return best;
  }
  return undefined;
}

const controls = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

/**
 * Removes control characters that reorder or break the surrounding text. Isolating the text is not enough: its own
 * characters could close the isolate early.
 */
export function withoutControls(text: string): string {
  return text.replace(controls, '');
}
