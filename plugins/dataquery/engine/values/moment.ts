/** The clock for literals: what is derived from `now` and `today` is valid only for a moment. */

let asked = 0;

/** Milliseconds since 1970-01-01. */
export function currentMoment(): number {
  asked += 1;
  return Date.now();
}

/** The result of `work`, and whether it depends on the time. */
export function noticingMoments<T>(work: () => T): { readonly result: T; readonly momentary: boolean } {
  const before = asked;
  const result = work();
  return { result, momentary: asked !== before };
}
