/** Numbers read in Korean: Sino-Korean, native Korean before a counter, and digit by digit. */

const DIGITS = ['영', '일', '이', '삼', '사', '오', '육', '칠', '팔', '구'];
const PLACES = ['', '십', '백', '천'];
/** Every fourth place, to 10^20. */
const MYRIADS = ['', '만', '억', '조', '경'];
const NATIVE_ONES = ['', '한', '두', '세', '네', '다섯', '여섯', '일곱', '여덟', '아홉'];
const NATIVE_TENS = ['', '열', '스물', '서른', '마흔', '쉰', '예순', '일흔', '여든', '아흔'];

/** Digits of the longest number read as a whole; longer ones are read digit by digit. */
const LONGEST = 16;

/** `12345` is 만 이천삼백사십오: a space after each myriad (article 44 of the rules of spelling). */
export function sino(digits: string): string {
  const significant = withoutLeadingZeros(digits);
  if (significant === '') return '영';
  if (significant.length > LONGEST) return byDigit(digits);
  const parts: string[] = [];
  for (let end = significant.length, myriad = 0; end > 0; end -= 4, myriad += 1) {
    const group = significant.slice(Math.max(0, end - 4), end);
    const reading = readGroup(group);
    if (reading === '') continue;
    const isLeadingOne = myriad === 1 && end - 4 <= 0 && reading === '일';
    parts.unshift(`${isLeadingOne ? '' : reading}${MYRIADS[myriad]}`);
  }
  return parts.join(' ');
}

/** Up to four digits: 1234 is 천이백삼십사. */
function readGroup(group: string): string {
  let reading = '';
  for (let at = 0; at < group.length; at += 1) {
    const digit = Number(group.charAt(at));
    const place = PLACES[group.length - 1 - at] ?? '';
    if (digit === 0) continue;
    reading += digit === 1 && place !== '' ? place : `${DIGITS[digit]}${place}`;
  }
  return reading;
}

function withoutLeadingZeros(digits: string): string {
  let start = 0;
  while (digits.charAt(start) === '0') start += 1;
  return digits.slice(start);
}

/** Digit by digit; `zero` is 영 after a decimal point and 공 in a number that is a name. */
export function byDigit(digits: string, zero: '영' | '공' = '공'): string {
  let reading = '';
  for (const digit of digits) reading += digit === '0' ? zero : (DIGITS[Number(digit)] ?? '');
  return reading;
}

/** 1 to 99 before a counter: 스무 개, 스물한 개. Undefined for other numbers. */
export function native(digits: string): string | undefined {
  const value = Number(digits);
  if (digits.startsWith('0') || digits.length > 2 || value === 0) return undefined;
  if (value === 20) return '스무';
  return `${NATIVE_TENS[Math.floor(value / 10)]}${NATIVE_ONES[value % 10]}`;
}
