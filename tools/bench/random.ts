/** Numbers and words that repeat from run to run. */

/** Uniform in 0..1 from a seed (mulberry32). */
export function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SYLLABLES = ['ba', 'do', 'ki', 'lu', 'me', 'no', 'ra', 'su', 'ti', 've'];

/** A word for each number. */
export function wordOf(at: number): string {
  return [...String(at)].map((digit) => SYLLABLES[Number(digit)]).join('');
}

/** Words by Zipf's law: the n-th most common occurs 1/n as often as the first. */
export function sentence(length: number, vocabulary: number, random: () => number): string {
  return Array.from({ length }, () => wordOf(Math.floor(vocabulary ** random()))).join(' ');
}
