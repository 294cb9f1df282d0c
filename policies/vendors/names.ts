interface NamedVendor {
  readonly clientName: string;
  readonly names: readonly (string | RegExp)[];
}

export class VendorNames<Vendor extends NamedVendor> {
  readonly #exact = new Map<string, Vendor>();
  readonly #patterns: { readonly pattern: RegExp; readonly vendor: Vendor }[] = [];
  readonly #skeletons = new Set<string>();

  constructor(vendors: readonly Vendor[]) {
    for (const vendor of vendors) {
      this.#skeletons.add(nameSkeleton(vendor.clientName));
      for (const name of vendor.names) {
        if (typeof name === 'string') {
          this.#exact.set(foldName(name), vendor);
          this.#skeletons.add(nameSkeleton(name));
        } else {
          this.#patterns.push({ pattern: wholeName(name), vendor });
        }
      }
    }
    // The skeleton of a name without letters and digits.
    this.#skeletons.delete('');
  }

  /** The vendor that has this name. */
  find(name: string): Vendor | undefined {
    const tidy = tidyName(name);
    return this.#exact.get(foldName(name)) ?? this.#patterns.find(({ pattern }) => pattern.test(tidy))?.vendor;
  }

  /** Whether this name looks like one of the vendors' exact names or display names. */
  resembles(name: string): boolean {
    return this.#skeletons.has(nameSkeleton(name));
  }
}

/** Matches the whole name with every alternative of the pattern, keeps no state and ignores case. */
function wholeName(pattern: RegExp): RegExp {
  return new RegExp(`^(?:${pattern.source})$`, `i${pattern.flags.replaceAll(/[gimy]/g, '')}`);
}

/**
 * Characters that look like a Latin letter and do not decompose to it, by that letter: Cyrillic, Greek, Armenian,
 * Cherokee, Lisu, small capitals and Latin letters with a stroke.
 */
const lookAlikes: Readonly<Record<string, string>> = {
  a: 'аαɑᴀɒΑАᎪꓮ⍺',
  b: 'вьβʙƅБВΒᏴꓐᖯ♭',
  c: 'сϲᴄСϹᏟꓚℂ¢',
  d: 'ԁᴅđɗᎠꓓꓒժ',
  e: 'еҽεᴇәəɛЕΕᎬꓰє℮',
  f: 'ꜰƒϝꓝքϜ',
  g: 'ɡɢԍցᏀꓖԌ',
  h: 'һнʜհħНΗᎻꓧ',
  i: 'іıιɪɩІΙӀᎥꓲ',
  j: 'јᴊȷյЈͿᎫꓙ',
  k: 'кκᴋКΚᏦꓗ',
  l: 'ӏʟłƚɫǀլᏞꓡⵏ∣',
  m: 'мᴍМΜϺᎷꓟ',
  n: 'пηɴոռΝꓠИи',
  o: 'оοσᴏøօОΟΘꓳ০೦',
  p: 'рρᴘРΡᏢꓑ',
  q: 'ԛզգԚ',
  r: 'гʀᏒꓣѓ',
  s: 'ѕꜱЅՏᏚꓢ',
  t: 'тτᴛŧТΤᎢꓔ',
  u: 'υμᴜսʋՍꓴц',
  v: 'ѵνᴠѴᏙꓦ',
  w: 'ԝωᴡѡաԜᎳꓪш',
  x: 'хχХΧꓫ×',
  y: 'уγʏүУΥҮᎽꓬ',
  z: 'ᴢΖᏃꓜʐ',
};

const latinOf: ReadonlyMap<string, string> = new Map(
  Object.entries(lookAlikes).flatMap(([latin, others]) => Array.from(others, (other) => [other, latin] as const)),
);

/** First code points of A to Z in emoji alphabets without a decomposition: flags, negative circled, negative squared. */
const letterBlocks = [0x1f1e6, 0x1f150, 0x1f170] as const;

/** A name for comparison: NFKC, trimmed, with single spaces and in lower case. Registration rules 1. */
export function foldName(name: string): string {
  return tidyName(name).toLowerCase().normalize('NFKC');
}

/** Like `foldName`, but with capitals. */
function tidyName(name: string): string {
  return name.normalize('NFKC').replaceAll(/\s+/gu, ' ').trim();
}

/**
 * What a name looks like: names with the same skeleton can be mistaken for each other. Accents, invisible characters,
 * spaces and decoration are removed, and look-alikes become one Latin letter: `I`, `l`, `i`, `1` and `|`; `0` and `o`;
 * `vv` and `w`; `rn` and `m`. Modelled on the skeletons of Unicode Technical Standard 39.
 */
function nameSkeleton(name: string): string {
  const decomposed = toLatin(name.replaceAll(/[™℠©®]/gu, '')).normalize('NFKD');
  return toLatin(toLatin(decomposed).toLowerCase())
    .replaceAll(/[1i|]/gu, 'l')
    .replaceAll('0', 'o')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('vv', 'w')
    .replaceAll('rn', 'm');
}

function toLatin(text: string): string {
  return Array.from(text, (character) => latinOf.get(character) ?? emojiLetter(character) ?? character).join('');
}

function emojiLetter(character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0;
  const block = letterBlocks.find((first) => code >= first && code < first + 26);
  return block === undefined ? undefined : String.fromCodePoint(0x61 + code - block);
}
