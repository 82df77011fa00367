/** Changes inside words that depend on their parts: articles 15, 20, 27 and 29. */
import { compose, decompose, isSyllable } from '../korean/hangul.js';
import { codaSound, tense } from './letters.js';
import lexicon from './lexicon.json' with { type: 'json' };
import type { PronunciationChange } from './word.js';

const INSERTING = lexicon.compoundEndings['ㄴ-insertion'].map((part) => Array.from(part));
const SEPARATE = new Set(lexicon.compoundEndings['separate ㄴ']);
const PARTICLES = new Set(lexicon.particles);
const ENDINGS = lexicon['ㄹ-endings'];
/** No other ending is written like these, so the stem does not matter: 갈지라도. */
const ALWAYS_TENSE = new Set(['수록', '지라도', '지언정', '지니라', '세라', '진대', '진저']);
const L_STEMS = lexicon['ㄹ-stems'];

export function changeParts(word: string): { text: string; changes: PronunciationChange[] } {
  const syllables = Array.from(word);
  const changes: PronunciationChange[] = [];
  const set = (at: number, changed: string, article: number): void => {
    const from = syllables[at] ?? '';
    if (from === changed) return;
    changes.push({ article, from, to: changed });
    syllables[at] = changed;
  };
  for (let at = 1; at < syllables.length; at += 1) {
    const before = syllables[at - 1] ?? '';
    const here = syllables[at] ?? '';
    if (!isSyllable(before) || !isSyllable(here)) continue;
    const left = decompose(before);
    const right = decompose(here);
    if (left.coda === '') continue;
    if (here === '없' && left.coda !== 'ㅇ')
      set(at - 1, compose({ ...left, coda: codaSound(left.coda) }), 15);
    if (right.onset === 'ㅇ' && insertsN(syllables, at)) set(at, compose({ ...right, onset: 'ㄴ' }), 29);
    if (left.coda === 'ㄴ' && at >= 2 && SEPARATE.has(here) && endsNoun(syllables, at))
      set(at, compose({ ...right, onset: 'ㄴ' }), 20);
    if (left.coda === 'ㄹ' && tensesEnding(syllables, at))
      set(at, compose({ ...right, onset: tense(right.onset) }), 27);
  }
  return { text: syllables.join(''), changes };
}

/** Article 29: 꽃+잎, 영업+용. One-syllable parts other than 잎 need two syllables before them: 절약 is one word. */
function insertsN(syllables: readonly string[], at: number): boolean {
  return INSERTING.some((part) => {
    if (!part.every((syllable, offset) => syllables[at + offset] === syllable)) return false;
    return part.length > 1 || part[0] === '잎' || (at >= 2 && endsNoun(syllables, at));
  });
}

function endsNoun(syllables: readonly string[], at: number): boolean {
  const next = syllables[at + 1];
  return next === undefined || PARTICLES.has(next);
}

/** Article 27, second note: endings that begin with -(으)ㄹ. After a stem in ㄹ they are other endings: 알/게. */
function tensesEnding(syllables: readonly string[], at: number): boolean {
  const rest = syllables.slice(at).join('');
  const head = syllables.slice(0, at).join('');
  if (ALWAYS_TENSE.has(rest)) return true;
  return ENDINGS.includes(rest) && !L_STEMS.some((stem) => head.endsWith(stem));
}
