/** Words in other forms than they were written: as well found in German, Arabic and code as in English. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeywordIndex } from '../../../../plugins/memory/engine/keyword/index.js';
import { attributes, TestClock } from '../entries.js';
import pairs from './pairs.json' with { type: 'json' };

/** What an entry says around its word: the language must show in what one writes, not in what one asks. */
const SENTENCES: Readonly<Record<keyof typeof pairs, (word: string) => string>> = {
  english: (word) => `I wrote about ${word} in the notes`,
  german: (word) => `Ich habe mir das mit ${word} für später gemerkt`,
  arabic: (word) => `تحدثنا اليوم عن ${word} مرة أخرى`,
  code: (word) => `Look at ${word} before you merge this`,
};

for (const [language, all] of Object.entries(pairs) as [keyof typeof pairs, string[][]][]) {
  test(`${language}: of 30 words in another form at least 27 are found, either way`, (t) => {
    for (const [asked, written] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const index = new KeywordIndex(new TestClock());
      all.forEach((pair, at) => {
        index.upsert(`${at}`, attributes({ owner: null }), SENTENCES[language](pair[written] ?? ''));
      });
      const missed = all.filter(
        (pair, at) =>
          !index.search(pair[asked] ?? '', { owner: null, limit: 3 }).some(({ id }) => id === `${at}`),
      );
      t.diagnostic(`${all.length - missed.length} of ${all.length}; not: ${missed.map(String).join(' ')}`);
      assert.ok(all.length === 30 && missed.length <= 3, `not found: ${missed.map(String).join(' ')}`);
    }
  });
}
