/**
 * The sum of doubles with twice their digits, rounded once at the end: as MongoDB's `$add` has it. Each step is Knuth's
 * TwoSum (The Art of Computer Programming, volume 2, 4.2.2, theorem B), which tells exactly what its rounding cut off.
 */
export class DoubleDouble {
  #sum = 0;
  /** What the roundings of `sum` cut off. */
  #rest = 0;
  /** As JavaScript adds: right for infinity and NaN, of which `rest` makes NaN. */
  #plain = 0;

  add(term: number): void {
    this.#plain += term;
    const sum = this.#sum + term;
    const ofTerm = sum - this.#sum;
    const rest = this.#rest + (this.#sum - (sum - ofTerm) + (term - ofTerm));
    this.#sum = sum + rest;
    this.#rest = rest - (this.#sum - sum);
  }

  /** Exact also where no double is the integer. */
  addInteger(term: bigint): void {
    const low = BigInt.asUintN(32, term);
    this.add(Number(term - low));
    this.add(Number(low));
  }

  toNumber(): number {
    return Number.isFinite(this.#sum) ? this.#sum : this.#plain;
  }

  /** The sum of integers. */
  toBigInt(): bigint {
    return BigInt(this.#sum) + BigInt(this.#rest);
  }
}
