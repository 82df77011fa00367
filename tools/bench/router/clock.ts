/** One clock for all processes of this machine, finer than a millisecond. */
export function epochMicroseconds(): number {
  return Math.round((performance.timeOrigin + performance.now()) * 1_000);
}
