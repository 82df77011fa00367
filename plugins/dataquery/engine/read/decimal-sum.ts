/** Exact sums and quotients of decimal numbers, as text. */

export class DecimalSum {
  /** The sum times ten to the power of the scale. */
  #total = 0n;
  #scale = 0;
  /** NaN or an infinity, which decides the sum; 0 if there is none. */
  #special = 0;

  add(value: unknown): void {
    if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') {
      this.#special += Number(value);
      return;
    }
    const [whole = '0', fraction = ''] = String(value).split('.');
    if (fraction.length > this.#scale) {
      this.#total *= 10n ** BigInt(fraction.length - this.#scale);
      this.#scale = fraction.length;
    }
    this.#total += BigInt(whole + fraction.padEnd(this.#scale, '0'));
  }

  /** Of the sum and of the average: `NaN` or an infinity, if one was added. */
  get special(): string | undefined {
    return this.#special === 0 ? undefined : String(this.#special);
  }

  digits(): string {
    return print(this.#total, this.#scale);
  }

  /** Rounded half away from zero, with as many decimals as PostgreSQL shows. */
  average(count: number): string {
    const scale = Math.max(quotientScale(this.digits(), String(count)), this.#scale);
    const dividend = this.#total * 10n ** BigInt(scale - this.#scale + 1);
    const tenths = dividend / BigInt(count);
    return print((tenths + (tenths < 0n ? -5n : 5n)) / 10n, scale);
  }
}

/** At least 16 significant digits, counted in groups of four (PostgreSQL's numeric.c, select_div_scale). */
const SIGNIFICANT_DIGITS = 16;
const GROUP = 4;

function quotientScale(dividend: string, divisor: string): number {
  const [a, b] = [leadingGroup(dividend), leadingGroup(divisor)];
  const weight = a.weight - b.weight - (a.digit <= b.digit ? 1 : 0);
  return Math.max(0, SIGNIFICANT_DIGITS - weight * GROUP);
}

/** The first group of four digits that is not zero, and its position: 0 for the group before the point. */
function leadingGroup(text: string): { readonly weight: number; readonly digit: number } {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const before = whole.padStart(Math.ceil(whole.length / GROUP) * GROUP, '0');
  const digits = before + fraction.padEnd(Math.ceil(fraction.length / GROUP) * GROUP, '0');
  for (let at = 0; at < digits.length; at += GROUP) {
    const digit = Number(digits.slice(at, at + GROUP));
    if (digit !== 0) return { weight: before.length / GROUP - 1 - at / GROUP, digit };
  }
  return { weight: 0, digit: 0 };
}

function print(value: bigint, scale: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0');
  const sign = value < 0n ? '-' : '';
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
