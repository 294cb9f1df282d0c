/** Beside `confusables.ts`, which compares letters in good print: turned and stylised letters, small capitals, symbols. */
const lookAlikes: Readonly<Record<string, string>> = {
  a: 'ᴀɒɐᗩʌ∆Δ▲дДẟ@₳卂',
  b: 'ʙƅßᗷᏰ฿♭Ъъ乃',
  c: 'ᑕ⊂⊏Ꮸ¢©(<[{₵☪匚',
  d: 'ᴅժ∂ᗞᗪძ₫刀',
  e: 'ᴇꞓəǝɘɚᗴ∈∊∃ξΣ∑эЭƹ€乇',
  f: 'ꜰϝᖴ₣下',
  g: 'ɢᏀᎶ₲ԍ',
  h: 'ʜᕼ♄ђ卄',
  i: '!¡丨工',
  j: 'ᴊᒍ',
  k: 'ĸҝ₭ᛕ长',
  l: 'ʟլɭ⌊∣£乚',
  m: 'ᴍʍᗰ₥爪ϻ',
  n: 'ɴᴎπлᑎ∩⋂几ท',
  o: '○●◯∘°⚬◦∅⌀◎◉☉ʘ⭕⚪⚫口',
  p: 'ᴘᑭ¶₱尸卩',
  r: 'ʀᴙᖇ®₹尺',
  s: 'ꜱᔕʃ∫§$₴丂',
  t: 'ᴛ†‡⊤┬✝✞☨₮+七千',
  u: 'цμᑌ⊔凵',
  v: '√✓✔∨ᐯ',
  w: 'ωᗯ₩山',
  x: 'χ᙭✕✖✗✘❌×乂〤',
  y: 'ч¥ʏ',
  z: 'ᴢʐ乙',
};

/** First code points of A to Z in emoji alphabets without a decomposition: flags, negative circled, negative squared. */
const letterBlocks = [0x1f1e6, 0x1f150, 0x1f170] as const;

/** What characters look like, by the table of Unicode, packed as in `confusables.ts`, and by the one above. */
export function characterTable(packed: string): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  let code = 0;
  for (const [, step = '', latin = ''] of packed.matchAll(/([A-Z]*)([a-z2-9])/gy)) {
    code += step === '' ? 1 : Array.from(step).reduce((sum, digit) => sum * 26 + digit.charCodeAt(0) - 65, 0);
    known.set(String.fromCodePoint(code), latin);
  }
  for (const [latin, characters] of Object.entries(lookAlikes)) {
    for (const character of characters) known.set(character, latin);
  }
  return known;
}

/** What a character reads as: `I`, `l`, `i`, `1` and `|` are one letter, as are `0` and `o`; `w` is `vv`, and `m` is `rn`. Fillers are letters that show nothing. */
export function characterReader(known: ReadonlyMap<string, string>): (character: string) => string {
  const toLatin = (text: string): string =>
    Array.from(text, (character) => known.get(character) ?? emojiLetter(character) ?? character).join('');
  return (character) =>
    toLatin(toLatin(toLatin(character).normalize('NFKD')).toLowerCase())
      .toLowerCase()
      .replaceAll(/[1i|]/gu, 'l')
      .replaceAll('0', 'o')
      .replaceAll(/[^\p{L}\p{N}]|\p{Default_Ignorable_Code_Point}/gu, '')
      .replaceAll('w', 'vv')
      .replaceAll('m', 'rn');
}

function emojiLetter(character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0;
  const block = letterBlocks.find((first) => code >= first && code < first + 26);
  return block === undefined ? undefined : String.fromCodePoint(0x61 + code - block);
}
