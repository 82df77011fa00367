/** The order of what was found, with what holds now before what it took the place of. */
import { asksOfPast, languageOfAll, read, type Reading } from './read.js';
import { succeeds } from './succession.js';

export interface Told {
  readonly id: string;
  readonly content: string;
  readonly score: number;
  /** Since when it holds, milliseconds since the epoch. */
  readonly since: number;
}

export interface Placed<T> {
  readonly told: T;
  /** What it is ordered by: of one that was moved up, that of the one which it took the place of. */
  readonly score: number;
  /** What seems to hold in its place; null: nothing. */
  readonly outdatedBy: string | null;
}

/** The first so many are compared with each other, and of these the short ones: a fact is a sentence or two. */
const COMPARED = 20;
const LONGEST = 400;

/** `found`: best first; it stays so where the query is empty, or asks what was. */
export function currentFirst<T extends Told>(query: string, found: readonly T[]): Placed<T>[] {
  const placed = found.map((told): Placed<T> => ({ told, score: told.score, outdatedBy: null }));
  const short = found.slice(0, COMPARED).filter(({ content }) => content.length <= LONGEST);
  if (short.length < 2 || query === '' || query.length > LONGEST) return placed;
  const language = languageOfAll([query, ...short.map(({ content }) => content)]);
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
    // What it outdates stays after it; the entry that moved up is checked again.
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
