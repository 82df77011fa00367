/** The most tokens that a request wants back, by the names of all dialects. */

const LIMITS = ['max_completion_tokens', 'max_tokens', 'max_output_tokens', 'maxOutputTokens'] as const;
const ANSWERS = ['n', 'best_of', 'candidateCount', 'candidate_count'] as const;

/** Undefined if it does not say. */
export function plannedTokens(body: Readonly<Record<string, unknown>>): number | undefined {
  const named = (names: readonly string[]): number[] =>
    names.map((name) => body[name]).filter((value) => typeof value === 'number');
  const [limit] = named(LIMITS);
  return limit === undefined ? undefined : limit * Math.max(1, ...named(ANSWERS));
}
