/** Finds a text in another one in linear time. */

/** Up to this many comparisons, `indexOf` is fast whatever the texts are. */
const MOST_COMPARED = 100_000;

/**
 * The first index of `part` at or after `from`, or -1. `indexOf` takes the product of both lengths in the worst case
 * (`yxxx...` in `xxxx...`: 9,000 letters in 0.9 MB take seconds); this is Knuth-Morris-Pratt.
 */
export function searchFor(part: string): (text: string, from: number) => number {
  let table: Int32Array | undefined;
  return (text, from) => {
    if (part.length * (text.length - from) <= MOST_COMPARED) return text.indexOf(part, from);
    table ??= bordersOf(part);
    let matched = 0;
    for (let at = from; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      while (matched > 0 && part.charCodeAt(matched) !== code) matched = table[matched - 1]!;
      if (part.charCodeAt(matched) === code) matched += 1;
      if (matched === part.length) return at + 1 - part.length;
    }
    return part.length === 0 ? from : -1;
  };
}

/** Failure function: for each prefix, the length of its longest proper prefix that is also a suffix. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (length > 0 && text.charCodeAt(length) !== code) length = borders[length - 1]!;
    if (text.charCodeAt(length) === code) length += 1;
    borders[at] = length;
  }
  return borders;
}
