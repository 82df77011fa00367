/**
 * `match` and `imatch`: clients' regular expressions, matched by an engine whose time is at most the product of the
 * sizes of pattern and text (RE2's).
 */
import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import { errors } from '../base/errors.js';
import { boundSteps } from './steps.js';
import { invalidPattern, toRe2 } from './syntax.js';

/** Limit of a pattern's length, and of its size when its repetitions are expanded. */
const LONGEST = 1_000;
const MOST_INSTRUCTIONS = 5_000;

/** Whether the pattern matches anywhere in a text. Throws 2201B for an invalid pattern. */
export function regularExpression(source: string, ignoreCase: boolean): (text: string) => boolean {
  if (source.length > LONGEST) throw invalidPattern('regular expression is too complex');
  const pattern = compiled(toRe2(source), ignoreCase);
  const size = pattern.programSize();
  if (size > MOST_INSTRUCTIONS) throw invalidPattern('regular expression is too complex');
  return (text) => {
    boundSteps(size * text.length);
    return pattern.test(text);
  };
}

const require = createRequire(import.meta.url);
let engine: typeof RE2JS | undefined;

function compiled(source: string, ignoreCase: boolean): RE2JS {
  // Loaded with the first pattern: it is a third as large as this plugin.
  engine ??= (require('re2js') as { RE2JS: typeof RE2JS }).RE2JS;
  try {
    return engine.compile(source, engine.DOTALL | (ignoreCase ? engine.CASE_INSENSITIVE : 0));
  } catch (cause) {
    throw errors['2201B']({ values: { reason: reasonOf(cause) }, cause });
  }
}

/** PostgreSQL's words for RE2's. */
const REASONS: readonly (readonly [words: string, reason: string])[] = [
  ['missing argument to repetition', 'quantifier operand invalid'],
  ['invalid nested repetition', 'quantifier operand invalid'],
  ['invalid repeat count', 'invalid repetition count(s)'],
  ['missing closing ]', 'brackets [] not balanced'],
  ['closing )', 'parentheses () not balanced'],
  ['unexpected )', 'parentheses () not balanced'],
  ['character class range', 'invalid character range'],
  ['trailing backslash', 'invalid escape \\ sequence'],
];

function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : '';
  const found = REASONS.find(([words]) => message.includes(words));
  return found?.[1] ?? 'regular expression is too complex';
}
