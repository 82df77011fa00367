import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isServiceError } from 'plugboard/sdk';
import { configurationNamed } from '../../../../plugins/dataquery/engine/search/configuration.js';
import { matches } from '../../../../plugins/dataquery/engine/search/match.js';
import { searchQuery, type SearchMode } from '../../../../plugins/dataquery/engine/search/query.js';
import { parseVector, vectorOf, vectorText } from '../../../../plugins/dataquery/engine/search/vector.js';

const english = configurationNamed();

/** Of one word; undefined for a stop word. */
function lexemeOf(word: string, configuration = english): string | undefined {
  const [{ text } = { text: undefined }] = configuration.lexemes(word);
  return text;
}

test('English words are cut to the stems of Porter2', () => {
  const stems: Readonly<Record<string, string>> = {
    impossible: 'imposs',
    possible: 'possibl',
    running: 'run',
    hoping: 'hope',
    hopping: 'hop',
    cries: 'cri',
    ties: 'tie',
    gas: 'gas',
    relational: 'relat',
    agreed: 'agre',
    generously: 'generous',
    knightly: 'knight',
    electricity: 'electr',
    adjustable: 'adjust',
    communism: 'communism',
    dying: 'die',
    analogies: 'analog',
    fluently: 'fluentli',
    say: 'say',
  };
  for (const [word, stem] of Object.entries(stems)) assert.equal(lexemeOf(word), stem, word);
});

test('words of other languages are cut to their stems', () => {
  const pairs: Readonly<Record<string, readonly [string, string]>> = {
    french: ['chevaux', 'cheval'],
    german: ['häuser', 'haus'],
    spanish: ['canciones', 'canción'],
    russian: ['книгами', 'книга'],
    turkish: ['evler', 'ev'],
  };
  for (const [language, [one, other]] of Object.entries(pairs)) {
    const stem = (word: string): string | undefined => lexemeOf(word, configurationNamed(language));
    assert.equal(stem(one), stem(other), language);
    assert.notEqual(stem(one), one, language);
    assert.equal(stem('naïve2'), 'naïve2');
  }
  assert.equal(lexemeOf('chevaux', configurationNamed('pg_catalog.French')), 'cheval');
});

test('a text becomes its lexemes with their places, stop words counted and left out', () => {
  assert.equal(vectorText(vectorOf(['The Fat Rats, and a rat!'], english)), "'fat':2 'rat':3,6");
  assert.equal(vectorText(vectorOf(['The Fat'], configurationNamed('simple'))), "'fat':2 'the':1");
});

test('a tsvector reads back from its text', () => {
  const literal = " 'it''s':3A,1 fat:2 on 'a b' 'it''s':3,4 ";
  assert.equal(vectorText(parseVector(literal)), "'a b' 'fat':2 'it''s':1,3A,4 'on'");
  const words = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }));
  fc.assert(
    fc.property(words, (texts) => {
      const printed = vectorText(
        new Map(texts.map((text, at) => [text, [{ position: at + 1, weight: 'B' }]])),
      );
      assert.equal(vectorText(parseVector(printed)), printed);
    }),
  );
  for (const broken of ["'a", 'a:x', "a'b", ':1']) {
    assert.throws(() => parseVector(broken), {
      code: '42601',
      message: `syntax error in tsvector: "${broken}"`,
    });
  }
});

describe('a search', () => {
  const text = 'The quick brown foxes jumped over a lazy dog, and the dog slept';
  const cases: readonly (readonly [mode: SearchMode, query: string, found: boolean])[] = [
    ['fts', 'fox & dog', true],
    ['fts', 'fox & cat', false],
    ['fts', 'cat | fox', true],
    ['fts', '!cat', true],
    ['fts', '! ( cat | fox )', false],
    ['fts', 'cat | fox & !dog', false],
    ['fts', 'jump:*', true],
    ['fts', 'qui:* & bro:*', true],
    ['fts', 'qui', false],
    ['fts', 'quick <-> brown', true],
    ['fts', 'quick <-> fox', false],
    ['fts', 'quick <2> fox', true],
    ['fts', "'lazy dogs'", true],
    ['fts', "'dog lazy'", false],
    ['fts', 'fox:A', false],
    ['fts', 'fox:ABCD', true],
    ['fts', 'the', false],
    ['fts', 'the & fox', true],
    ['fts', '', false],
    ['plfts', 'dogs jumping', true],
    ['plfts', 'dogs | flying', false],
    ['plfts', 'The', false],
    ['phfts', 'jumps over the lazy', true],
    ['phfts', 'lazy jumps', false],
    ['phfts', 'dog and the dog', true],
    ['wfts', 'fox -cat', true],
    ['wfts', 'fox -dog', false],
    ['wfts', '"brown fox" or cat', true],
    ['wfts', '"fox brown" OR cat', false],
    ['wfts', '-"brown fox"', false],
    ['wfts', '"brown fox', true],
    ['wfts', '& | ! ((', false],
  ];
  for (const [mode, query, found] of cases) {
    test(`${mode}.${query} ${found ? 'finds' : 'does not find'}`, () => {
      const tree = searchQuery(mode, query, english);
      assert.equal(tree !== undefined && matches(vectorOf([text], english), tree), found);
    });
  }

  for (const query of [
    'a &',
    '| a',
    'fox dog',
    '(fox',
    'fox)',
    '!',
    'a <-> ',
    "'a",
    'a:z',
    '('.repeat(100),
  ]) {
    test(`fts.${query.slice(0, 10)} is refused`, () => {
      assert.throws(() => searchQuery('fts', query, english), {
        code: '42601',
        message: `syntax error in tsquery: "${query}"`,
      });
    });
  }

  test('of weights and of places looks at those of the vector', () => {
    const vector = parseVector("'fox':3A 'dog':4 'cat'");
    const holds = (query: string): boolean => matches(vector, searchQuery('fts', query, english)!);
    assert.deepEqual(['fox:A', 'dog:A', 'dog:*D', 'fox <-> dog', 'cat', 'cat <-> fox'].map(holds), [
      true,
      false,
      true,
      true,
      true,
      false,
    ]);
  });

  test('of any text is read or refused', () => {
    const pieces = fc.constantFrom(
      'a',
      'the',
      '&',
      '|',
      '!',
      '(',
      ')',
      '<->',
      '<3>',
      "'",
      ':*',
      ':A',
      ' ',
      '"',
      '-',
      'or',
      '\\',
      '💡',
    );
    const query = fc.array(pieces, { maxLength: 20 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.constantFrom<SearchMode>('fts', 'plfts', 'phfts', 'wfts'), query, (mode, words) => {
        try {
          const tree = searchQuery(mode, words, english);
          if (tree !== undefined)
            assert.equal(typeof matches(vectorOf(['a the x'], english), tree), 'boolean');
        } catch (error) {
          assert.ok(
            isServiceError(error) && error.code === '42601' && mode === 'fts',
            `${mode} ${words}: ${String(error)}`,
          );
        }
      }),
    );
  });

  test('in a language that nobody knows is refused', () => {
    assert.throws(() => configurationNamed('klingon'), {
      code: '42704',
      message: 'text search configuration "klingon" does not exist',
    });
  });
});
