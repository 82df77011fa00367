import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { analyze as analysis, analyzeQuery } from '../../../../plugins/memory/engine/analyzer/analyze.js';

const analyze = (text: string): string[] => analysis(text).terms;

test('words are lower-cased, stemmed, and rid of stop words', () => {
  assert.deepEqual(analyze('The Harbours were CLOSING at seven'), ['harbour', 'close', 'seven']);
});

test('possessives and contractions are cut, and a name with an apostrophe is one word', () => {
  assert.deepEqual(analyze("Anna's ferry; Anna’s ferry. I don't know O'Brien"), [
    ...['anna', 'ferri', 'anna', 'ferri'],
    ...['know', 'obrien'],
  ]);
});

test('accents, full-width letters and letter case do not keep a word from being found', () => {
  assert.deepEqual(analyze('Café'), analyze('cafe\u0301'));
  assert.deepEqual(analyze('CAFE'), analyze('café'));
  assert.deepEqual(analyze('Ｈａｒｂｏｕｒ'), analyze('harbour'));
});

test('Hangul, Han and Kana become character bigrams, and a lone character itself', () => {
  assert.deepEqual(analyze('서울에서'), ['서울', '울에', '에서']);
  assert.deepEqual(analyze('東京タワー'), ['東京', '京タ', 'タワ', 'ワー']);
  assert.deepEqual(analyze('집 7 水'), ['집', '7', '水']);
});

test('a Korean noun of one syllable is a term of its own next to its particle', () => {
  for (const text of ['집', '집은', '집에서', '집까지는']) assert.ok(analyze(text).includes('집'), text);
  assert.deepEqual(analyze('서울은'), ['서울', '울은']);
});

test('a run of mixed scripts is cut where words and bigrams meet', () => {
  assert.deepEqual(analyze('KTX로 부산'), ['ktx', '로', '부산']);
});

test('words of other alphabets lose accents, not vowel signs, and are stemmed where a stemmer knows them', () => {
  assert.deepEqual(analyze('книгами γαλάζιο हिन्दी'), ['книг', 'γαλαζιο', 'हिन्दी']);
});

test('names of code are their parts and the whole, and are asked for as a whole where an entry has it', () => {
  const terms = ['get', 'user', 'name', 'getusernam'];
  assert.deepEqual(analyze('getUserName'), terms);
  assert.deepEqual(analyze('get_user_name'), terms);
  assert.deepEqual(analyze('HTTPServer'), ['http', 'server', 'httpserver']);
  assert.deepEqual(analyze('the TVs of McDonald'), ['tvs', 'mc', 'donald', 'mcdonald']);
  assert.deepEqual(
    analyzeQuery('userName', ['english'], (term) => term === 'usernam'),
    [['usernam']],
  );
  assert.deepEqual(
    analyzeQuery('userName', ['english'], () => false),
    [['user'], ['name']],
  );
});

test('a word with a number is found by its parts, and asked for as a whole', () => {
  assert.deepEqual(analyze('sha256'), ['sha', '256', 'sha256']);
  assert.deepEqual(
    analyzeQuery('sha256', ['english'], () => false),
    [['sha256']],
  );
});

test('a number with separators is its parts and what it says, and is asked for as that where an entry has it', () => {
  assert.deepEqual(analyze('1,299.00 euro'), ['1', '299', '00', '1299', 'euro']);
  for (const text of ['1,299', '1.299,00', "1'299.00", '1299.00', '1299,0'])
    assert.equal(analyze(text).at(-1), '1299', text);
  assert.deepEqual(analyze('3,50 and 0.5'), ['3', '50', '3.5', '0', '5', '0.5']);
  assert.deepEqual(analyze('12.05.2026 or v 1.2.3'), ['12', '05', '2026', 'v', '1', '2', '3']);
  assert.deepEqual(
    analyzeQuery('1,299.00', ['english'], (term) => term === '1299'),
    [['1299']],
  );
  assert.deepEqual(
    analyzeQuery('1,299', ['english'], () => false),
    [['1'], ['299']],
  );
});

test('an emoji, a flag and a sign of money are words', () => {
  assert.deepEqual(analyze('🎂 for 20 € or $5, ❤️ 🇫🇷'), ['🎂', '20', '€', '$', '5', '❤', '🇫🇷']);
  assert.deepEqual(analyze('costs $5'), ['cost', '$', '5']);
});

test('a query of stop words alone asks for them, with other words they are left out', () => {
  const known = () => true;
  assert.deepEqual(analyzeQuery('The Who', ['english'], known), [
    [' the', 'the'],
    [' who', 'who'],
  ]);
  assert.deepEqual(analyzeQuery('The Who live', ['english'], known), [['live']]);
});

test('an umlaut may be written out, in a query and in an entry', () => {
  const known =
    (...terms: string[]) =>
    (term: string) =>
      terms.includes(term);
  const [mueller] = analyzeQuery('Mueller', ['german'], known('mull'));
  assert.ok(mueller?.includes('mull'));
  const [muller] = analyzeQuery('Müller', ['german'], known('muell'));
  assert.ok(muller?.includes('muell'));
  assert.deepEqual(analyze('Łódź Straße Søren'), analyze('Lodz Strasse Soren'));
});

test('stop words and stems are those of the language that a text shows', () => {
  assert.deepEqual(analysis('Die Häuser sind alt'), {
    terms: ['haus', 'alt'],
    common: [' die', ' sind'],
    language: 'german',
  });
  assert.deepEqual(analysis('Les maisons sont à vendre'), {
    terms: ['maison', 'vendr'],
    common: [' les', ' sont', ' à'],
    language: 'french',
  });
  assert.deepEqual(analysis('old houses'), {
    terms: ['old', 'hous'],
    common: [],
    language: undefined,
  });
  assert.deepEqual(analyze("l'eau et l'amour d'Anna sont pour elle"), ['eau', 'amour', 'anna']);
});

test('a query of one word is stemmed in each language of the entries', () => {
  assert.deepEqual(
    analyzeQuery('Zimmern', ['german', 'english'], () => true),
    [['zimm', 'zimmern']],
  );
});

test('characters beyond the basic plane are not torn apart', () => {
  assert.deepEqual(analyze('𠮷野家'), ['𠮷野', '野家']);
});

test('any text has an analysis, and its terms hold no white space', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const term of analyze(text)) assert.match(term, /^\S+$/u);
    }),
    // a combining mark without a letter had an empty term
    { examples: [['\u0f71']] },
  );
});

test('letters that become words when they are normalised stay letters, so that a text does not grow', () => {
  assert.deepEqual(analyze('ﬁsh in ½ a box of ㎏'), analyze('fish in 1⁄2 a box of kg'));
  const grown = 'ﷺ '.repeat(100).normalize('NFKC').split(' ').length;
  assert.ok(analyze('ﷺ '.repeat(100)).length < grown / 2);
});
