import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { foldedText, prefixesOf, spellingsOf, wordsOf } from './words.ts';

suite('words of a search', () => {
  const same: [one: string, other: string][] = [
    ['São Brás de Alportel', 'sao bras DE ALPORTEL'],
    ['Straße', 'STRASSE'],
    ['Große', 'GROẞE'],
    ['Kadıköy', 'KADIKOY'],
    ['İstanbul', 'istanbul'],
    ['Ærø', 'aero'],
    ['Łódź', 'lodz'],
    ['Œuvre', 'oeuvre'],
    ['Þingvellir', 'thingvellir'],
    ['Ђ', 'ђ'],
    ['ﬁn', 'FIN'],
    ['Ｔｏｋｙｏ', 'tokyo'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['οδός', 'ΟΔΌΣ'],
    ['Cafe\u0301', 'caf\u00e9'],
    ['①', '1'],
  ];
  for (const [one, other] of same) {
    test(`${one} is ${other}`, () => assert.equal(foldedText(one), foldedText(other)));
  }

  test('words are runs of letters and digits, each once', () => {
    assert.deepEqual(wordsOf("L'Aquila – l’aquila, Via 7 (2ª)"), ['l', 'aquila', 'via', '7', '2a']);
    assert.deepEqual(wordsOf('京都 嵐山'), ['京都', '嵐山']);
    assert.deepEqual(wordsOf(' -–… 🏠 \u0301 '), []);
  });

  test('a word that begins another one is superfluous in a query', () => {
    assert.deepEqual(prefixesOf('al alp alg alp'), ['alp', 'alg']);
  });

  const found: [name: string, query: string][] = [
    ['Köln', 'koeln'],
    ['KÖLN', 'Köln'],
    ['Ko\u0308ln', 'koeln'],
    ['Koeln', 'köln'],
    ['Köln', 'koln'],
    ['Düsseldorf', 'duess'],
    ['Lübbecke-Höhe', 'hoehe lueb'],
    ['Tromsø', 'tromsoe'],
    ['Århus', 'aarhus'],
    ['München', 'Mün'],
  ];
  const finds = (name: string, query: string): boolean =>
    prefixesOf(query).every((prefix) =>
      spellingsOf(prefix).some((spelling) =>
        wordsOf(name).some((word) => word.startsWith(spelling)),
      ),
    );
  for (const [name, query] of found) {
    test(`${query} finds ${name}`, () => assert.ok(finds(name, query)));
  }

  /** Places as their people write them, and as a guest may type them. */
  const places: Record<string, [name: string, query: string][]> = {
    Latin: [
      ['Köln', 'koeln'],
      ['São Paulo', 'sao paulo'],
      ['Łódź', 'lodz'],
      ['Đà Nẵng', 'da nang'],
      ['Reykjavík', 'REYKJAVIK'],
      ['Malmö', 'malmoe'],
      ['İzmir', 'izmir'],
      ['Kırklareli', 'KIRKLARELİ'],
      ["L'Aquila", 'l’aquila'],
      ['Bad Soden-Salmünster', 'salmuenster'],
    ],
    Greek: [
      ['Θεσσαλονίκη', 'θεσσαλονικη'],
      ['Πειραιάς', 'ΠΕΙΡΑΙΑΣ'],
      ['Ναύπλιο', 'ναυπ'],
    ],
    Cyrillic: [
      ['Йошкар-Ола', 'йошкар ола'],
      ['Орёл', 'орел'],
      ['Київ', 'київ'],
    ],
    Armenian: [['Երևան', 'ԵՐԵՎԱՆ']],
    Georgian: [['თბილისი', 'თბილ']],
    Hebrew: [
      ['יְרוּשָׁלַיִם', 'ירושלים'],
      ['תל־אביב', 'תל אביב'],
    ],
    Arabic: [
      ['أسوان', 'اسوان'],
      ['القَاهِرَة', 'القاهرة'],
      ['مَرَّاكُش', 'مراكش'],
    ],
    Devanagari: [
      ['मुंबई', 'मुंबई'],
      ['ऋषिकेश', 'ऋषि'],
    ],
    Thai: [
      ['เชียงใหม่', 'เชียงใหม่'],
      ['กระบี่', 'กระบี'],
    ],
    Han: [
      ['京都 嵐山', '嵐山'],
      ['北京市', '北京'],
    ],
    Kana: [
      ['さっぽろ', 'さっぽろ'],
      ['ニセコ', 'ﾆｾｺ'],
    ],
    Hangul: [
      ['서울', '서우'],
      ['제주시', '제주'],
    ],
  };
  for (const [script, pairs] of Object.entries(places)) {
    for (const [name, query] of pairs) {
      test(`${script} › ${query} finds ${name}`, () => assert.ok(finds(name, query)));
    }
  }

  test('a spelling with two letters finds no other word', () => {
    assert.ok(!finds('Soest', 'sost'));
    assert.ok(!finds('Koln', 'koeln'));
  });

  test('the beginning of a word stays its beginning, in any case', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(10), (text, length) => {
        const beginning = [...text].slice(0, length).join('');
        const folded = foldedText(text);
        assert.equal(foldedText(folded), folded, 'folding twice changes nothing');
        assert.equal(foldedText(text.toUpperCase()), foldedText(text.toUpperCase().toLowerCase()));
        assert.ok(folded.startsWith(foldedText(beginning)), `${beginning} of ${text}`);
      }),
      { numRuns: 2_000 },
    );
  });
});
