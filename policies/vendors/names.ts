import { confusables } from './confusables.ts';
import { characterReader, characterTable } from './look-alikes.ts';

interface NamedVendor {
  readonly clientName: string;
  readonly names: readonly (string | RegExp)[];
}

export class VendorNames<Vendor extends NamedVendor> {
  readonly #exact = new Map<string, Vendor>();
  readonly #patterns: { readonly pattern: RegExp; readonly vendor: Vendor }[] = [];
  readonly #shown: readonly { readonly text: string; readonly vendor: Vendor }[];
  #skeletons: readonly { readonly skeleton: string; readonly vendor: Vendor }[] | undefined;

  constructor(vendors: readonly Vendor[]) {
    this.#shown = vendors.flatMap((vendor) =>
      [vendor.clientName, ...vendor.names.filter((name) => typeof name === 'string')].map((text) => ({ text, vendor })),
    );
    for (const vendor of vendors) {
      for (const name of vendor.names) {
        if (typeof name === 'string') this.#exact.set(foldName(name), vendor);
        else this.#patterns.push({ pattern: wholeName(name), vendor });
      }
    }
  }

  find(name: string): Vendor | undefined {
    const tidy = tidyName(name);
    return this.#exact.get(foldName(name)) ?? this.#patterns.find(({ pattern }) => pattern.test(tidy))?.vendor;
  }

  /** The vendor like one of whose exact names or display names this name looks. */
  resembled(name: string): Vendor | undefined {
    // The skeleton of a name without letters and digits is empty: every name of symbols would look like it.
    this.#skeletons ??= this.#shown.flatMap(({ text, vendor }) => {
      const skeleton = nameSkeleton(text);
      return skeleton === '' ? [] : [{ skeleton, vendor }];
    });
    const glyphs = glyphsOf(name);
    return this.#skeletons.find(({ skeleton }) => canBeReadAs(glyphs, skeleton))?.vendor;
  }
}

/** Matches the whole name with every alternative of the pattern, keeps no state and ignores case. */
function wholeName(pattern: RegExp): RegExp {
  return new RegExp(`^(?:${pattern.source})$`, `i${pattern.flags.replaceAll(/[gimy]/g, '')}`);
}

/** A name for comparison: NFKC, trimmed, with single spaces and in lower case. Registration rules 1. */
export function foldName(name: string): string {
  return tidyName(name).toLowerCase().normalize('NFKC');
}

/** Like `foldName`, but with capitals. */
function tidyName(name: string): string {
  return name.normalize('NFKC').replaceAll(/\s+/gu, ' ').trim();
}

interface Glyph {
  readonly text: string;
  /** Anything but a letter or digit: it can be decoration, or stand for a letter. */
  readonly optional: boolean;
}

let reader: ((character: string) => string) | undefined;
/** The table is read when the first name is compared, and not at every start. */
const read = (character: string): string => (reader ??= characterReader(characterTable(confusables)))(character);

const letter = /[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{Nd}]/u;

/** Accents, invisible characters, spaces and decoration that looks like no letter are left out. */
function glyphsOf(name: string): Glyph[] {
  return Array.from(name, (character) => ({ text: read(character), optional: !letter.test(character) })).filter(
    ({ text }) => text !== '',
  );
}

/** What a name looks like without decoration. Modelled on the skeletons of Unicode Technical Standard 39. */
function nameSkeleton(name: string): string {
  const required = glyphsOf(name).filter(({ optional }) => !optional);
  return required.map(({ text }) => text).join('');
}

function canBeReadAs(glyphs: readonly Glyph[], skeleton: string): boolean {
  let ends = new Set([0]);
  for (const { text, optional } of glyphs) {
    const next = new Set(optional ? ends : []);
    for (const end of ends) if (skeleton.startsWith(text, end)) next.add(end + text.length);
    if (next.size === 0) return false;
    ends = next;
  }
  return ends.has(skeleton.length);
}
