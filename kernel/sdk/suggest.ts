/** "Did you mean ...?" */
import { distance } from 'fastest-levenshtein';

/** The candidate closest to `word`; undefined if none is within edits of a third of the longer one's length. */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  let best: { name: string; edits: number } | undefined;
  for (const name of candidates) {
    const limit = Math.max(1, Math.floor(Math.max(word.length, name.length) / 3));
    // A lower bound of the distance, so a megabyte-long property name is not compared letter by letter.
    if (Math.abs(word.length - name.length) > limit) continue;
    const [typed, meant] = [word.toLowerCase(), name.toLowerCase()];
    // Transposed letters count as one edit.
    const edits = sorted(typed) === sorted(meant) ? 1 : distance(typed, meant);
    if (edits <= limit && (best === undefined || edits < best.edits)) best = { name, edits };
  }
  return best?.name;
}

function sorted(word: string): string {
  return Array.from(word).toSorted().join('');
}
