/** Whether a memory already states a fact. */
import { languageOfAll, read, type Reading } from '../current/read.js';
import { succeeds } from '../current/succession.js';
import { statementOf } from '../evidence/statement.js';
import { withoutSpeakers } from './speakers.js';

const SAME = 0.8;

/** It has all of the fact's words, or nearly the same ones with the same numbers and names, and the same negation. */
export function saysAlready(known: string, fact: string): boolean {
  const [before, now] = readingsOf(known, fact);
  if (before.negated !== now.negated || before.isPast !== now.isPast) return false;
  const [old, fresh] = [statementOf(known), statementOf(fact)];
  const hasNumbers = [...fresh.numbers].every((number) => old.numbers.has(number));
  const hasNames = [...fresh.names.keys()].every((name) => old.names.has(name) || before.words.has(name));
  if (!hasNumbers || !hasNames) return false;
  let shared = 0;
  for (const word of now.words) if (before.words.has(word)) shared += 1;
  return shared === now.words.size || shared / (before.words.size + now.words.size - shared) >= SAME;
}

/**
 * Whether the fact may end the memory: both are about the same attribute of the same subject, and the fact is in the
 * present.
 */
export function mayEnd(known: string, fact: string): boolean {
  const [older, newer] = readingsOf(known, fact);
  return succeeds(newer, older, newer);
}

/** Without "the user", which is in all of them. */
function readingsOf(known: string, fact: string): [Reading, Reading] {
  const [one, other] = [withoutSpeakers(known).text, withoutSpeakers(fact).text];
  const language = languageOfAll([one, other]);
  return [read(one, language), read(other, language)];
}
