/**
 * Decides which of two memories is current: "I live in London", "I moved to Paris last week". They must be about the
 * same attribute of the same subject, and both answer the question; then the later one leads, or the one that is not
 * about the past. Changes only the order of results, never stored data, and leaves the order alone when in doubt.
 */
import { topicsOf, type Reading } from './read.js';

/** Minimum share of the shorter memory's words that both have, if they share no topic. */
const LEAST_FRAME = 0.5;
const LEAST_ASKED = 1 / 3;

/** Whether `newer` replaces `older` in the answer to a question about the present. */
export function succeeds(question: Reading, older: Reading, newer: Reading): boolean {
  if (newer.isPast && !older.isPast) return false;
  return (
    isSameSubject(question, older, newer) &&
    (ends(older, newer) ||
      (isSameAttribute(question, older, newer) && differ(older, newer) && answers(question, older, newer)))
  );
}

/** No other subject: the same speaker, no other relative, and no name that only the newer one begins with. */
function isSameSubject(question: Reading, older: Reading, newer: Reading): boolean {
  if (older.label !== newer.label || !isEqual(older.people, newer.people)) return false;
  if (newer.first === null || older.first !== null) return true;
  return older.words.has(newer.first) || question.words.has(newer.first);
}

/** The newer one says that something of the older one ended: "I sold the Civic". */
function ends(older: Reading, newer: Reading): boolean {
  return sharedOf(newer.ended, older.words) > 0;
}

/** They share a topic, or enough words: most of them, or fewer that include every word of the question. */
function isSameAttribute(question: Reading, older: Reading, newer: Reading): boolean {
  if ([...older.topics].some((topic) => newer.topics.has(topic))) return true;
  if (asksForLabel(question, older)) return true;
  const asked = [...question.telling].every((word) => older.words.has(word) && newer.words.has(word));
  const [before, after] = asked ? [older.words, newer.words] : [older.telling, newer.telling];
  const shared = sharedOf(before, after);
  return shared > 0 && shared >= (asked ? LEAST_ASKED : LEAST_FRAME) * Math.min(before.size, after.size);
}

/** "Address: 9 Oak Avenue", and the question is about the address. The label of both is the same. */
function asksForLabel(question: Reading, { words, telling }: Reading): boolean {
  return (
    question.telling.size > 0 && [...question.telling].every((word) => words.has(word) && !telling.has(word))
  );
}

/** The newer one adds a word or differs in negation. */
function differ(older: Reading, newer: Reading): boolean {
  return older.negated !== newer.negated || sharedOf(newer.words, older.words) < newer.words.size;
}

/** The newer one has every question word that the older one has, except words of a topic of both. */
function answers(question: Reading, older: Reading, newer: Reading): boolean {
  for (const word of question.telling) {
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
