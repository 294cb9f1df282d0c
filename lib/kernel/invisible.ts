/**
 * Characters that show nothing where they stand, or reorder what is around them: controls, formatting characters, lone surrogates,
 * separators of lines, what Unicode lets a font leave out (UAX 44, `Default_Ignorable_Code_Point`, with the fillers of Hangul,
 * which are letters), and the empty Braille pattern.
 */
const invisibles = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800`;
const invisible = new RegExp(`[${invisibles}]`, 'u');
const visible = new RegExp(`[^\\s${invisibles}]`, 'u');

/** Emoji consist of several characters, some of which show nothing alone. */
const emoji = /\p{RGI_Emoji}/gv;

/** Scripts in which a joiner between two letters changes how they are written. Unicode Standard, section 23.2. */
const joining = 'Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr'
  .split(' ')
  .map((script) => `\\p{scx=${script}}`)
  .join('');
const joiner = new RegExp(`(?<=[${joining}])[\\u200C\\u200D](?=[${joining}])`, 'gu');

/** The first invisible character of a name that people see, as `U+3164`. Those that an emoji or a script needs do not count. */
export function invisibleIn(name: string): string | undefined {
  const [found] = invisible.exec(name.replace(emoji, '*').replace(joiner, '')) ?? [];
  return found && `U+${found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Whether a text shows nothing: it is empty, or spaces and invisible characters. */
export function isBlank(text: string): boolean {
  return !visible.test(text);
}
