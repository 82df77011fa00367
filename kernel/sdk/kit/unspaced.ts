/** Text without spaces between words: its scripts, its bigrams, and Korean particles, which end words. */
import particles from './korean-particles.json' with { type: 'json' };

/** For a character class with the flag `u`: scripts without spaces, and Hangul, which attaches particles to words. */
export const UNSPACED_SCRIPTS = ['Hangul', 'Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');

/** The longest first. */
export const KOREAN_PARTICLES: readonly string[] = particles.toSorted((a, b) => b.length - a.length);

/** The overlapping pairs of characters of a run; a lone character is returned as is. */
export function bigramsOf(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, at) => characters[at]! + character);
}

/** A Korean word without each particle that may end it, the shortest first. */
export function koreanNounsOf(word: string): string[] {
  return KOREAN_PARTICLES.flatMap((particle) =>
    word.length > particle.length && word.endsWith(particle) ? [word.slice(0, -particle.length)] : [],
  );
}

/** NFKC, but NFC if that more than doubles the text: NFKC makes up to eighteen letters of one. */
export function compatibleText(text: string): string {
  const compatible = text.normalize('NFKC');
  return compatible.length > MOST_GROWTH * text.length ? text.normalize('NFC') : compatible;
}

const MOST_GROWTH = 2;
