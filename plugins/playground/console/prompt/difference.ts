/** A word-by-word difference of two texts. */

export interface Piece {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Beyond this the longest common subsequence takes too long to draw: everything is shown as replaced. */
const MOST_CELLS = 4_000_000;

export function difference(before: string, after: string): Piece[] {
  const [a, b] = [wordsOf(before), wordsOf(after)];
  if (a.length * b.length > MOST_CELLS)
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ];
  // lengths[i][j]: longest common subsequence of a from i on and b from j on.
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      lengths[i]![j] =
        a[i] === b[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const isSame = i < a.length && j < b.length && a[i] === b[j];
    const removes = !isSame && i < a.length && (j === b.length || lengths[i + 1]![j]! >= lengths[i]![j + 1]!);
    const kind = isSame ? 'same' : removes ? 'removed' : 'added';
    const text = kind === 'added' ? b[j]! : a[i]!;
    if (kind !== 'added') i += 1;
    if (kind !== 'removed') j += 1;
    const last = pieces.at(-1);
    if (last?.kind === kind) pieces[pieces.length - 1] = { kind, text: last.text + text };
    else pieces.push({ kind, text });
  }
  return pieces;
}

/** Including the spaces between them. */
function wordsOf(text: string): string[] {
  return text.split(/(\s+)/).filter((word) => word !== '');
}
