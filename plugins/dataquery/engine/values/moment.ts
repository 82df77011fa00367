/** The clock as literals read it: `now` and `today` make what is derived from them true for a moment only. */

let asked = 0;

/** Milliseconds since 1970-01-01. */
export function currentMoment(): number {
  asked += 1;
  return Date.now();
}

/** The result of `work`, and whether it would be another one at another time. */
export function noticingMoments<T>(work: () => T): { readonly result: T; readonly momentary: boolean } {
  const before = asked;
  const result = work();
  return { result, momentary: asked !== before };
}
