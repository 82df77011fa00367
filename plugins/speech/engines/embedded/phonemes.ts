/** Pronounced words in the mnemonics of eSpeak NG's Korean, with the accent of the dialect. */
import { contourOf, type Preset } from '../../dialects/contour.js';
import { decompose, isSyllable, type Syllable } from '../../korean/hangul.js';
import type { SpokenClause } from '../../reading/reading.js';
import table from './phonemes.json' with { type: 'json' };

const INITIAL: Readonly<Record<string, string>> = table.initial;
const MEDIAL: Readonly<Record<string, string>> = table.medial;
const VOWELS: Readonly<Record<string, string>> = table.vowels;
const CODAS: Readonly<Record<string, string>> = table.codas;
/** Particles without accent; a word of two syllables is taken whole. */
const PARTICLE = new Set(Array.from('이가은는을를의에도만와과로'));

export interface PhonemeClause {
  readonly phonemes: string;
  readonly end: string;
  /** The number of phonemes of each word. */
  readonly counts: readonly number[];
}

export function phonemesOf({ words, end }: SpokenClause, preset: Preset): PhonemeClause {
  const spoken = words.map(({ written, spoken: sound }, at) => {
    const syllables = Array.from(sound).filter(isSyllable).map(decompose);
    const hasParticle = syllables.length > 2 && PARTICLE.has(written.at(-1) ?? '');
    const { accent, isLong } = contourOf(preset, {
      length: syllables.length,
      stem: syllables.length - (hasParticle ? 1 : 0),
      isLast: at === words.length - 1,
      closes: end !== ',',
    });
    return syllables
      .map((syllable, index) =>
        soundOf(syllable, syllables[index - 1], {
          accented: index === accent,
          long: isLong && index === syllables.length - 1,
        }),
      )
      .join('|');
  });
  return { phonemes: spoken.join(' '), end, counts: spoken.map((word) => word.split('|').length) };
}

function soundOf(
  { onset, vowel, coda }: Syllable,
  before: Syllable | undefined,
  { accented, long }: { accented: boolean; long: boolean },
): string {
  const isMedial = before !== undefined && 'ㄴㄹㅁㅇ'.includes(before.coda);
  // ㄹㄹ is one long lateral; between vowels ㄹ is a tap.
  const consonant =
    onset === 'ㄹ' && before?.coda === 'ㄹ'
      ? 'l'
      : ((isMedial ? MEDIAL[onset] : undefined) ?? INITIAL[onset] ?? '');
  const glided = VOWELS[vowel] ?? '';
  const nucleus = long ? lengthened(glided) : glided;
  return [consonant, accentedVowel(nucleus, accented), CODAS[coda] ?? '']
    .filter((part) => part !== '')
    .join('|');
}

/** The mark goes before the vowel and after a glide. */
function accentedVowel(vowel: string, accented: boolean): string {
  if (!accented) return vowel;
  const glide = vowel.startsWith('j|') || vowel.startsWith('w|') ? vowel.slice(0, 2) : '';
  return `${glide}'${vowel.slice(glide.length)}`;
}

/** A long vowel is written twice: the engine's length mark adds 30 ms, this about 120 ms. */
function lengthened(vowel: string): string {
  const nucleus = vowel.split('|').at(-1) ?? '';
  return nucleus === 'j' ? vowel : `${vowel}|${nucleus}`;
}
