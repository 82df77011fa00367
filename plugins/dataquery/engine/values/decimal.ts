/**
 * Decimal numbers of any precision as strings that sort like the numbers, so that storage compares them.
 *
 * With the value written as 0.d1d2... x 10^e, d1 not 0: `3`, then e + 500000 in six digits, then the digits. A negative
 * number is `1` and the nines' complement of the same, ended by `:`, which sorts after every digit. `2` is zero, `0`
 * and `4` are the infinities, `5` is NaN, which PostgreSQL sorts last. Trailing zeros are not kept: 1.50 and 1.5 are
 * one value.
 */
const BIAS = 500_000;
const SPECIAL: Readonly<Record<string, string>> = { '-infinity': '0', infinity: '4', nan: '5' };
const SPECIAL_TEXT: Readonly<Record<string, string>> = {
  '0': '-Infinity',
  '2': '0',
  '4': 'Infinity',
  '5': 'NaN',
};

export interface Decimal {
  readonly negative: boolean;
  /** Without leading and trailing zeros; empty for zero. */
  readonly digits: string;
  /** The value is 0.digits x 10^exponent. */
  readonly exponent: number;
}

const LITERAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,7}))?$/;

/** Undefined for a text that is not a decimal number. */
export function readDecimal(text: string): Decimal | undefined {
  const match = LITERAL.exec(text.trim());
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', power = '0'] = match;
  if (whole === '' && fraction === '') return undefined;
  return normalise(sign === '-', whole + fraction, whole.length + Number(power));
}

function normalise(negative: boolean, digits: string, exponent: number): Decimal {
  // Loops instead of /0+$/, which takes quadratic time on zeros in the middle.
  let start = 0;
  let end = digits.length;
  while (start < end && digits[start] === '0') start++;
  while (end > start && digits[end - 1] === '0') end--;
  if (start === end) return { negative: false, digits: '', exponent: 0 };
  return { negative, digits: digits.slice(start, end), exponent: exponent - start };
}

/** Rounds half away from zero to `scale` decimals. */
export function roundDecimal(value: Decimal, scale: number): Decimal {
  const keep = value.exponent + scale;
  if (keep >= value.digits.length) return value;
  if (keep < 0) return { negative: false, digits: '', exponent: 0 };
  const up = value.digits.charCodeAt(keep) >= 0x35;
  const kept = BigInt(value.digits.slice(0, keep) || '0') + (up ? 1n : 0n);
  const digits = kept.toString().padStart(keep, '0');
  return normalise(value.negative, digits, value.exponent + (digits.length - keep));
}

export function compareDecimals(a: Decimal, b: Decimal): number {
  const sign = signOf(a);
  if (sign !== signOf(b)) return sign - signOf(b);
  if (a.exponent !== b.exponent) return sign * (a.exponent - b.exponent);
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -sign : sign;
}

function signOf({ negative, digits }: Decimal): number {
  return digits === '' ? 0 : negative ? -1 : 1;
}

/** Undefined if the exponent is out of range. */
export function encodeDecimal({ negative, digits, exponent }: Decimal): string | undefined {
  if (digits === '') return '2';
  const biased = exponent + BIAS;
  if (biased < 0 || biased > 999_999) return undefined;
  const body = String(biased).padStart(6, '0') + digits;
  return negative ? `1${complement(body)}:` : `3${body}`;
}

export function encodeSpecial(text: string): string | undefined {
  const name = text
    .trim()
    .toLowerCase()
    .replace(/^\+?inf(inity)?$/, 'infinity')
    .replace(/^-inf(inity)?$/, '-infinity');
  return Object.hasOwn(SPECIAL, name) ? SPECIAL[name] : undefined;
}

/** Undefined for the infinities and NaN. */
export function decodeDecimal(encoded: string): Decimal | undefined {
  if (encoded === '2') return { negative: false, digits: '', exponent: 0 };
  const negative = encoded.startsWith('1');
  if (!negative && !encoded.startsWith('3')) return undefined;
  const body = negative ? complement(encoded.slice(1, -1)) : encoded.slice(1);
  return { negative, digits: body.slice(6), exponent: Number(body.slice(0, 6)) - BIAS };
}

/** An encoded number in plain notation, with at least `scale` decimals. */
export function decimalText(encoded: string, scale = 0): string {
  const value = decodeDecimal(encoded);
  return value === undefined ? (SPECIAL_TEXT[encoded] ?? encoded) : plainDecimal(value, scale);
}

/** Plain notation, with at least `scale` decimals. */
export function plainDecimal({ negative, digits, exponent }: Decimal, scale = 0): string {
  const whole = exponent > 0 ? digits.slice(0, exponent).padEnd(exponent, '0') : '0';
  const fraction =
    exponent > 0 ? digits.slice(exponent) : digits === '' ? '' : '0'.repeat(-exponent) + digits;
  const padded = fraction.padEnd(scale, '0');
  return `${negative ? '-' : ''}${whole}${padded === '' ? '' : `.${padded}`}`;
}

function complement(digits: string): string {
  let result = '';
  for (let at = 0; at < digits.length; at++) result += String.fromCharCode(0x69 - digits.charCodeAt(at));
  return result;
}
