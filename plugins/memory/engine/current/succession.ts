/**
 * Which of two memories tells what holds now: "I live in London", "I moved to Paris last week". They must be about the
 * same of the same one, and both answer the question; then the later one leads, or the one that does not speak of the
 * past. It changes an order and nothing that is stored, and errs towards leaving the order as it is.
 */
import { topicsOf, type Reading } from './read.js';

/** The share of the words of the shorter one that both have, where no topic shows what they are about. */
const LEAST_FRAME = 0.5;
const LEAST_ASKED = 1 / 3;

/** Whether the one takes the place of the other in the answer to a question about the present. */
export function succeeds(question: Reading, older: Reading, newer: Reading): boolean {
  if (newer.isPast && !older.isPast) return false;
  return (
    isSameSubject(question, older, newer) &&
    isSameAttribute(question, older, newer) &&
    differ(older, newer) &&
    answers(question, older, newer)
  );
}

/** Nobody else comes in: a relative, or one whose name the newer one alone begins with. */
function isSameSubject(question: Reading, older: Reading, newer: Reading): boolean {
  if (!isEqual(older.people, newer.people)) return false;
  if (newer.first === null || older.first !== null) return true;
  return older.words.has(newer.first) || question.words.has(newer.first);
}

/** A topic, or enough of the same words: most of them, or fewer and all that is asked for. */
function isSameAttribute(question: Reading, older: Reading, newer: Reading): boolean {
  if ([...older.topics].some((topic) => newer.topics.has(topic))) return true;
  const shared = sharedOf(older.words, newer.words);
  const asked = [...question.words].every((word) => older.words.has(word) && newer.words.has(word));
  const least = asked ? LEAST_ASKED : LEAST_FRAME;
  return shared > 0 && shared >= least * Math.min(older.words.size, newer.words.size);
}

/** The newer one says something that the older one does not, or says it the other way round. */
function differ(older: Reading, newer: Reading): boolean {
  return older.negated !== newer.negated || sharedOf(newer.words, older.words) < newer.words.size;
}

/** What of the question the older one has, the newer one has too, unless it is a word of what both are about. */
function answers(question: Reading, older: Reading, newer: Reading): boolean {
  for (const word of question.words) {
    if (!older.words.has(word) || newer.words.has(word)) continue;
    if (!topicsOf(word).some((topic) => older.topics.has(topic) && newer.topics.has(topic))) return false;
  }
  return true;
}

function sharedOf(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of some) if (others.has(word)) shared += 1;
  return shared;
}

function isEqual(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return some.size === others.size && sharedOf(some, others) === some.size;
}
