/**
 * The name that was probably meant: among candidates that share groups of two or three letters, the one with the fewest
 * edits (Levenshtein).
 */
import { distance } from 'fastest-levenshtein';

const LONGEST = 100;

/** The most similar candidate with a similarity of at least `least` (0 to 1), or undefined. */
export function mostSimilar(candidates: Iterable<string>, name: string, least = 0.33): string | undefined {
  // Nobody means a name with so long a text, and comparing takes the product of both lengths.
  if (name.length > LONGEST) return undefined;
  const wanted = name.toLowerCase();
  let best: { candidate: string; score: number } | undefined;
  for (const candidate of new Set(candidates)) {
    const text = candidate.toLowerCase();
    if (!sharesGram(text, wanted)) continue;
    const score = 1 - distance(text.slice(0, LONGEST), wanted) / Math.max(text.length, wanted.length);
    if (score >= least && (best === undefined || score > best.score)) best = { candidate, score };
  }
  return best?.candidate;
}

function sharesGram(a: string, b: string): boolean {
  const grams = gramsOf(a);
  return [...gramsOf(b)].some((gram) => grams.has(gram));
}

function gramsOf(text: string): Set<string> {
  const padded = `-${text}-`;
  const grams = new Set<string>();
  for (let at = 0; at + 2 <= padded.length; at += 1) grams.add(padded.slice(at, at + 2));
  return grams;
}
