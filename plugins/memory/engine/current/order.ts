/** Reorders found entries: current facts before the ones they outdate. */
import { asksOfPast, languageOfAll, read, type Reading } from './read.js';
import { succeeds } from './succession.js';

export interface Told {
  readonly id: string;
  readonly content: string;
  readonly score: number;
  /** Valid since, milliseconds since the epoch. */
  readonly since: number;
}

export interface Placed<T> {
  readonly told: T;
  /** The sort key. An entry that was moved up has the score of the one it outdates. */
  readonly score: number;
  /** The entry that seems to replace this one; null: none. */
  readonly outdatedBy: string | null;
}

/** Only the first results are compared, and only short ones: a fact is a sentence or two. */
const COMPARED = 20;
const LONGEST = 400;
/** The first results tell the language. */
const NEAREST = 3;

/** `found`: best first. The order is unchanged if the query is empty or about the past. */
export function currentFirst<T extends Told>(query: string, found: readonly T[]): Placed<T>[] {
  const placed = found.map((told): Placed<T> => ({ told, score: told.score, outdatedBy: null }));
  const short = found.slice(0, COMPARED).filter(({ content }) => content.length <= LONGEST);
  if (short.length < 2 || query === '' || query.length > LONGEST) return placed;
  // Those furthest down may be in any language.
  const language = languageOfAll([query, ...short.slice(0, NEAREST).map(({ content }) => content)]);
  if (asksOfPast(query, language)) return placed;
  const question = read(query, language);
  const readings = new Map(short.map(({ id, content }) => [id, read(content, language)]));
  for (let at = 0; at < placed.length; at++) {
    const older = placed[at]!;
    const next = placed.findIndex(
      (newer, place) => place > at && leads(question, older.told, newer.told, readings),
    );
    if (next < 0) continue;
    const [newer] = placed.splice(next, 1);
    placed.splice(at, 1, { ...newer!, score: older.score }, { ...older, outdatedBy: newer!.told.id });
    // Entries that it outdates stay after it; the entry that moved up is checked again.
    at -= 1;
  }
  return placed;
}

function leads(question: Reading, older: Told, newer: Told, readings: ReadonlyMap<string, Reading>): boolean {
  const [before, after] = [readings.get(older.id), readings.get(newer.id)];
  if (before === undefined || after === undefined) return false;
  const isLater = before.isPast === after.isPast ? newer.since > older.since : before.isPast;
  return isLater && succeeds(question, before, after);
}
