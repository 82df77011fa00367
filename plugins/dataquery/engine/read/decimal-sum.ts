/** Exact sums and quotients of decimal numbers, as text. */

/** The scale of a quotient: PostgreSQL shows at least 16 significant digits. */
const QUOTIENT_SCALE = 16;

export function addDecimals(texts: readonly string[]): string {
  const scale = Math.max(0, ...texts.map((text) => text.split('.')[1]?.length ?? 0));
  return print(
    texts.reduce((total, text) => total + scaled(text, scale), 0n),
    scale,
  );
}

/** Rounded half away from zero. */
export function divideDecimal(text: string, by: number): string {
  const scale = Math.max(QUOTIENT_SCALE, text.split('.')[1]?.length ?? 0);
  const dividend = scaled(text, scale) * 10n;
  const tenths = dividend / BigInt(by);
  const rounding = tenths < 0n ? -5n : 5n;
  return print((tenths + rounding) / 10n, scale);
}

function scaled(text: string, scale: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  const negative = whole.startsWith('-');
  const digits = BigInt(whole.replace(/^[+-]/, '') + fraction.padEnd(scale, '0'));
  return negative ? -digits : digits;
}

function print(value: bigint, scale: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0');
  const sign = value < 0n ? '-' : '';
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
