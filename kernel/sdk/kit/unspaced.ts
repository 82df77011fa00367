/** Text whose words no spaces part: its scripts, its pairs of characters, and Korean particles, which end words. */
import particles from './korean-particles.json' with { type: 'json' };

/** For a class of a pattern, with the flag `u`: scripts without spaces, and Hangul, which glues particles to words. */
export const UNSPACED_SCRIPTS = ['Hangul', 'Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');

/** The longest first. */
export const KOREAN_PARTICLES: readonly string[] = particles.toSorted((a, b) => b.length - a.length);

/** The overlapping pairs of characters of a run; a lone character stands for itself. */
export function bigramsOf(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, at) => characters[at]! + character);
}

/** What a Korean word is without each of the particles that may end it, the shortest first. */
export function koreanNounsOf(word: string): string[] {
  return KOREAN_PARTICLES.flatMap((particle) =>
    word.length > particle.length && word.endsWith(particle) ? [word.slice(0, -particle.length)] : [],
  );
}

/** NFKC makes up to eighteen letters of one; a text of such letters stays as it is written. */
export function compatibleText(text: string): string {
  const compatible = text.normalize('NFKC');
  return compatible.length > MOST_GROWTH * text.length ? text.normalize('NFC') : compatible;
}

const MOST_GROWTH = 2;
