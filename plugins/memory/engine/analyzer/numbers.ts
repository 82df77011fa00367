/** Numbers as written: with thousands and decimal separators. */

/** Digits with separators, each followed by digits. */
export const SEPARATED = "[0-9]+(?:[.,'’][0-9]+)+";

const THOUSANDS = /^[0-9]{1,3}(?:(?:,[0-9]{3})+|(?:\.[0-9]{3})+|(?:['’][0-9]{3})+)$/;

/**
 * The number without thousands separators and with a decimal point: `1,299.00`, `1.299,00` and `1299` are `1299`, `3,5`
 * is `3.5`. A separator before three digits is a thousands separator: `1.299` is `1299`. Undefined for other forms,
 * such as dates, versions and addresses.
 */
export function numberOf(text: string): string | undefined {
  if (/^[0-9]+$/.test(text)) return text;
  const [, before = '', decimals] = /^(.*[0-9])[.,]([0-9]+)$/.exec(text) ?? [];
  if (THOUSANDS.test(text)) return digitsOf(text);
  if (decimals === undefined) return undefined;
  const whole = /^[0-9]+$/.test(before) || THOUSANDS.test(before) ? digitsOf(before) : undefined;
  if (whole === undefined || isRepeated(text, before)) return undefined;
  let end = decimals.length;
  while (decimals[end - 1] === '0') end -= 1;
  return end === 0 ? whole : `${whole}.${decimals.slice(0, end)}`;
}

/** `1.299.00`: no number uses one character for both thousands and decimals. */
function isRepeated(text: string, before: string): boolean {
  return before.includes(text[before.length]!);
}

function digitsOf(text: string): string {
  return text.replace(/[^0-9]/g, '');
}
