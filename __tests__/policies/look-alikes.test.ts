import { describe, expect, test } from '@jest/globals';
import { OAuthError } from '../../lib/kernel/errors.ts';
import { loopbackClients, vendorPlatforms, wellKnownVendors } from '../../policies/index.ts';
import { confusables } from '../../policies/vendors/confusables.ts';
import { characterTable } from '../../policies/vendors/look-alikes.ts';
import { harbourSite } from '../helpers/sites.ts';

const site = harbourSite();

const policies = [vendorPlatforms(wellKnownVendors), loopbackClients()];

/** What registration says to an app with a loopback address: `admit`, `known` or an error. */
async function outcome(name: string): Promise<string | undefined> {
  const metadata = { client_name: name, redirect_uris: ['http://127.0.0.1/callback'] };
  try {
    for (const policy of policies) {
      const verdict = await policy.decide({ site, metadata });
      if (verdict) return verdict.decision;
    }
  } catch (error) {
    if (error instanceof OAuthError) return error.message;
    throw error;
  }
  return undefined;
}

const refused = 'client_name must not look like the name of a known integration; use another name';

/** Every character that a font may leave out, with the fillers of Hangul, which are letters: U+115F, U+1160, U+3164, U+FFA0. */
const invisible = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter((character) =>
  /\p{Default_Ignorable_Code_Point}/u.test(character),
);

test('no name has an invisible character, but what an emoji or a script needs', async () => {
  const shown = 'client_name has an invisible character, U+';
  for (const character of [...invisible, '\u2800', '\u0007', '\ufff9'])
    expect(await outcome(`School${character} Notes`)).toContain(shown);
  for (const name of ['Notes ❤️', '👩‍🏫 Notes', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 Notes', '1️⃣ Notes', 'می‌خوانم', 'ශ්‍රී ලංකා', 'क्‍षमा'])
    expect(await outcome(name)).toBe('admit');
  for (const name of ['Not\u200ces', 'Notes \u{1f600}\ufe0e', 'می\u200c\u200cخوانم', '\u200cمی'])
    expect(await outcome(name)).toContain(shown);
});

describe('a loopback client is not registered under a name that looks like a vendor’s', () => {
  test.each([
    ['ᑕlaude', 'Canadian syllabics'],
    ['ᑕᒪᗩᑌᗞᗴ', 'Canadian syllabics alone'],
    ['ᗪevin', 'Canadian syllabics'],
    ['Cla∪de', 'a union'],
    ['Clau∂e', 'a partial differential'],
    ['⊂laude', 'a subset'],
    ['Claud∊', 'an element'],
    ['Cl∀ude', 'a quantifier'],
    ['Cha†GPT', 'a dagger'],
    ['Cha‡GPT', 'a double dagger'],
    ['Cha⊤GPT', 'a down tack'],
    ['†ChatGPT†', 'daggers as decoration'],
    ['†Cha†GPT†', 'daggers as decoration and as a letter'],
    ['ᏟᏞᎪᏌᎠᎬ', 'Cherokee'],
    ['ꮯꮮꭺꮜꭰꭼ', 'Cherokee in lower case'],
    ['ꓢꓡꓮꓚꓗ', 'Lisu'],
    ['ＣｌａｕｄＥ\u200b', 'fullwidth, with a zero width space'],
    ['Cla\u200c\u200d\u2060ude', 'zero width characters'],
    ['C\u0337l\u0337a\u0337u\u0337d\u0337e\u0337', 'combining strokes'],
    ['C͎h͎a͎t͎G͎P͎T͎', 'combining marks'],
    ['СһаtGРТ', 'Cyrillic and Latin'],
    ['Ⲥⅼаυԁе', 'Coptic, numerals, Greek and Cyrillic'],
    ['𐊢laude', 'Carian'],
    ['Ꮯ𝗅⍺∪₫∊', 'each from another block'],
    ['卩乇尺卩乚乇乂丨七ㄚ', 'Chinese characters'],
    ['Curs●r', 'a circle'],
    ['©laude', 'a copyright sign'],
    ['$lack', 'a dollar'],
    ['Cl@ude', 'an at sign'],
    ['Dev!n', 'an exclamation mark'],
    ['C|aude |', 'bars, as a letter and as decoration'],
    ['|C|l|a|u|d|e|', 'bars between'],
    ['Claude ×', 'a sign at the end'],
    ['Claude ❌✓', 'signs at the end'],
    ['Claude¹', 'a footnote'],
    ['Claudeᵀᴹ', 'a trade mark in raised letters'],
    ['Claude ①', 'a number in a circle'],
    ['ⅤΟ', 'v0 as a numeral and a Greek letter'],
    ['vvarp', 'two v'],
    ['ɯarp', 'a turned m'],
    ['ɴ8ɴ ᴄʟᴏᴜᴅ', 'small capitals'],
  ])('%j: %s', async (name) => {
    expect(await outcome(name)).toBe(refused);
  });

  test('with any character that shows nothing', async () => {
    for (const character of invisible) expect(await outcome(`Cla${character}ude`)).toBe(refused);
    for (const character of '\u115f\u1160\u3164\uffa0\u00ad\u200b') {
      for (const name of [`${character}Claude`, `Claude${character}`]) expect(await outcome(name)).toBe(refused);
    }
  });

  // The same letter of each vendor, by every character that can be read as it.
  test('with any character of the tables', async () => {
    const names = wellKnownVendors.flatMap((vendor) => vendor.names.filter((name) => typeof name === 'string'));
    const registered: string[] = [];
    for (const [character, latin] of characterTable(confusables)) {
      const name = names.find((each) => each.toLowerCase().includes(latin));
      const alike = name?.toLowerCase().replace(latin, character);
      if (alike !== undefined && (await outcome(alike)) !== refused) registered.push(alike);
    }
    expect(registered).toEqual([]);
  });
});

const ordinary = `
School Notes, My Claude helper, Claude Code, Claudia, Claudette, Cloud, Clause, Chat, GPT, Cursive, Courser,
Slacker, Warped, Dusty, Devi, Devi!, Devi ✨, Grow, Perplexed, v1, v00, n8n, C++ Helper, C# Tools, R&D,
100% Maths, @school, Notes ✨, 🎓 Timetable, ★ Star, 1+1, !!!, Müller & Söhne, Straßenkarte, École numérique,
Élève, Señal, Ação, Søren, Łódź, Čeština, Õpilane, Trợ lý trường học, Türkçe öğretmen, Íslenska, Gaeilge,
Ọmọ ilé-ìwé, Māori, ʻŌlelo Hawaiʻi, Hoërskool, Школьный помощник, Клод, Курсор, Грок, Чат, Девин, Учебник,
Український, Ѓорѓи, Қазақша, Сlass, Βοηθός σχολείου, Κλοντ, Τάξη, Դպրոց, სკოლა, בית ספר, مساعد المدرسة,
اسکول, स्कूल, বিদ্যালয়, பள்ளி, పాఠశాల, โรงเรียน, ໂຮງຮຽນ, ကျောင်း, សាលារៀន, ትምህርት ቤት, ᏣᎳᎩ, ᐃᓄᒃᑎᑐᑦ, ꓡꓲ-ꓢꓴ,
ⵜⴰⵎⴰⵣⵉⵖⵜ, Ⲙⲉⲧⲣⲉⲙⲛ̀ⲭⲏⲙⲓ, 学校助手, 豆包, 山口の道具, 工口, 文心一言, クラウド, スラック, 클로드, 학교 도우미, 注音ㄅㄆㄇ`;

test.each(ordinary.trim().split(/,\s+/))('a loopback client is registered under %j', async (name) => {
  expect(await outcome(name)).toBe('admit');
});
